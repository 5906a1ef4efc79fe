import { useQuery } from '@tanstack/react-query';
import { addDays, presentDay } from '../../charts/period';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { fetchRows } from '../../providers/rows';
import { staleTime } from './useDashboard';

/** Maximum number of machines for which the start page shows one card each. */
export const maxOwnMachines = 12;

export type OwnMachine = Awaited<ReturnType<typeof readOwnMachines>>[number];

/** The machines of a user with few machines, for their start page. */
export const useOwnMachines = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    queryKey: ['dashboard', 'own machines'],
    queryFn: ({ signal }) => readOwnMachines(signal),
    staleTime,
    enabled,
  });

/** Machines that are offline or have an open problem first; otherwise keeps the order. */
export const sortByTrouble = <M extends { status: string | null; problem?: object | undefined }>(
  machines: readonly M[],
): M[] => {
  const hasTrouble = ({ status, problem }: M) => status === 'Offline' || problem !== undefined;
  return machines.toSorted((a, b) => Number(hasTrouble(b)) - Number(hasTrouble(a)));
};

/** Machines with their site, its next planned day within a week, and their latest open alert. */
async function readOwnMachines(signal: AbortSignal) {
  const today = presentDay();
  const [{ data: machines }, alerts, sites] = await Promise.all([
    fetchRows('machines', {
      per_page: maxOwnMachines,
      sort: [{ path: 'serial_number', descending: false }],
      filter: [{ path: 'is_dummy', values: ['false'] }],
      include: ['location', 'type'],
      signal,
    }),
    can('alerts', 'list')
      ? fetchRows('alerts', {
          per_page: 100,
          sort: [{ path: 'opened_at', descending: true }],
          filter: [{ path: 'state', values: ['open', 'acknowledged'] }],
          signal,
        }).then(({ data }) => data)
      : [],
    can('locations', 'list')
      ? call('GET /locations/calendar', {
          query: { from: today, to: addDays(today, 6) },
          search: 'per_page=100',
          signal,
        }).then(({ data }) => data)
      : [],
  ]);
  const cards = machines.map(
    ({ id, serial_number, status, status_since, last_seen, battery, location, type, custom_type }) => ({
      id,
      serial_number,
      status,
      status_since,
      last_seen,
      battery,
      siteAndType: [location?.name, type?.name ?? custom_type].filter(Boolean).join(' · '),
      plannedDay: sites.find((site) => site.id === location?.id)?.days.find(({ state }) => state === 'planned')?.day,
      problem: alerts.find(({ machine_ids }) => machine_ids?.includes(id)),
    }),
  );
  return sortByTrouble(cards);
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import { counterDays, counters, type DashboardFigures, proofOf, serviceDays, serviceProof, services, stateOrder, stateProof } from '../../schema/dashboard';
import { LoadFailed } from '../layout/LoadFailed';
import { PageHead } from '../layout/PageHead';
import { StateMark } from '../layout/StateMark';
import { can } from '../providers/auth';
import { api } from '../providers/http';
import { useLive } from '../providers/live';
import { Figure } from './dashboard/Figure';
import { MachineSearch } from './dashboard/MachineSearch';

/** The first page: find a machine, see what the fleet does, who uses the product. Every figure leads to the list that proves it. */
export const Dashboard = () => {
  const translate = useTranslate();
  const { data, error, refetch } = useQuery({ queryKey: ['dashboard'], queryFn: () => api<{ data: DashboardFigures }>('dashboard'), refetchInterval: minute });
  useRecount();
  return (
    <>
      <PageHead title={translate('dashboard.title')} crumbs={[{ headerName: 'frame.dashboard' }]} />
      <MachineSearch />
      {error && !data ? <LoadFailed title={translate('dashboard.error')} error={error} onRetry={refetch} /> : <Figures figures={data?.data} />}
    </>
  );
};

/** Reserves their places while they are loaded. */
const Figures = ({ figures }: { figures: DashboardFigures | undefined }) => {
  const translate = useTranslate();
  const today = new Date().toISOString().slice(0, 10);
  const shown = counters.filter((counter) => can(proofOf(counter, today).resource, 'list'));
  return (
    <>
      <section className="sl-figures-group" aria-labelledby="states">
        <h2 id="states">{translate('dashboard.states')}</h2>
        <ul className="sl-figures">
          {stateOrder.map((state) => (
            <Figure key={state} label={<StateMark state={state} />} value={figures?.states[state]} proof={stateProof(state)} />
          ))}
        </ul>
      </section>
      <section className="sl-figures-group" aria-labelledby="service">
        <h2 id="service">{translate('dashboard.service')}</h2>
        <ul className="sl-figures">
          {services.map((figure) => (
            <Figure
              key={figure}
              label={translate(`dashboard.${figure}`)}
              note={figure === 'service_due' ? translate('dashboard.next_days', { smart_count: serviceDays }) : undefined}
              value={figures?.[figure]}
              proof={serviceProof(figure, today)}
            />
          ))}
        </ul>
      </section>
      {shown.length > 0 && (
        <section className="sl-figures-group" aria-labelledby="counters">
          <h2 id="counters">{translate('dashboard.people')}</h2>
          <ul className="sl-figures">
            {shown.map((counter) => (
              <Figure
                key={counter}
                label={translate(`dashboard.${counter}`)}
                note={notes[counter] && translate(notes[counter], { smart_count: counterDays[counter] })}
                value={figures?.[counter]}
                proof={proofOf(counter, today)}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

/** Counts again when machines change their state, at most every few seconds. */
function useRecount() {
  const client = useQueryClient();
  const last = useRef(0);
  useLive('resource/machines', ({ payload }) => {
    if (payload?.status === undefined || Date.now() - last.current < recountAfter) return;
    last.current = Date.now();
    void client.invalidateQueries({ queryKey: ['dashboard'], exact: true });
  });
}

const recountAfter = 5000;
const minute = 60_000;
const notes: Partial<Record<(typeof counters)[number], string>> = {
  new_users: 'dashboard.last_days',
  new_companies: 'dashboard.last_days',
  inactive_users: 'dashboard.inactive_for',
};

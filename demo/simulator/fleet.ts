/**
 * Reads the machines to simulate from the running server: those that are deployed and have a tracker, in their current
 * state.
 */
import type { StateName } from '../../schema/entities/machines';
import { defaultWorkingWidth } from '../../schema/entities/types';
import { isDemoDevice } from '../seed/machines';
import type { SimulatedMachine } from './advanceMachine';
import { findFloorRobots } from './findFloorRobots';
import { createFloorWalk } from './floorWalk';

interface MachineListRow {
  id: number;
  status: StateName;
  last_seen: string | null;
  battery: number | null;
  latitude: number | null;
  longitude: number | null;
  tracker: { id: number; tracker_or_serial: string } | null;
  location: { latitude: number | null; longitude: number | null } | null;
  type: { working_width_m: number | null } | null;
}

/** A machine with data about its row and tracker. */
type ServerMachine = SimulatedMachine & {
  id: number;
  /** Working width in metres. */
  width: number | null;
  /** Id of its tracker. */
  tracker: number;
  isOffline: boolean;
  /** Time of its last message, in milliseconds since 1970; `undefined` if there is none. */
  lastSeenAt: number | undefined;
};

/** Address of the server, and the login of a user who may create secrets of trackers. */
export interface Access {
  baseUrl: string;
  email: string;
  password: string;
}

/**
 * One machine in this many reports often: enough for something to happen on every page, and few enough for an embedded
 * database.
 */
export const machinesPerFrequentReporter = 37;

/**
 * Reads up to `limit` machines from the server. One in `machinesPerReporter` machines, and one robot on each floor,
 * report often; their trackers get new secrets, which most protocols require. Without that number, none reports often.
 */
export async function fetchFleet(
  { baseUrl, email, password }: Access,
  limit: number,
  machinesPerReporter?: number,
): Promise<SimulatedMachine[]> {
  const login = await fetch(`${baseUrl}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!login.ok) throw new Error(`The simulator could not log in as ${email}: ${login.status}`);
  const { token } = (await login.json()) as { token: string };
  const machines: ServerMachine[] = [];
  for (let page = 1; machines.length < limit; page += 1) {
    const search = new URLSearchParams({
      'filter[stock_state]': 'deployed',
      include: 'tracker,location,type',
      sort: 'id',
      per_page: '500',
      page: String(page),
    });
    const data = await read<MachineListRow>(`machines?${search}`);
    if (data.length === 0) break;
    machines.push(...data.flatMap(serverMachinesOf));
  }
  const robots: Awaited<ReturnType<typeof findFloorRobots>> = machinesPerReporter
    ? await findFloorRobots(read)
    : new Map();
  const fleet = withoutMissing(machines.slice(0, limit)).map((machine, index) => {
    const robot = robots.get(machine.id);
    const reportsOften = machinesPerReporter !== undefined && index % machinesPerReporter === 5 % machinesPerReporter;
    if (!robot) return { ...machine, reportsOften };
    const walk = createFloorWalk(robot.floor, machine.width ?? defaultWorkingWidth, robot.reportsRuns);
    const protocol = robot.takesOrders ? ('vda5050 2.1' as const) : ('own batch' as const);
    return { ...machine, reportsOften: true, protocol, walk };
  });
  for (const machine of fleet) if (machine.reportsOften) machine.secret = await createTrackerSecret(machine.tracker);
  await fetch(`${baseUrl}/api/v1/users/logout`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
  return fleet;

  async function read<T>(path: string): Promise<T[]> {
    const response = await fetch(`${baseUrl}/api/v1/${path}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`The simulator could not read ${path.split('?')[0]}: ${response.status}`);
    return ((await response.json()) as { data: T[] }).data;
  }

  async function createTrackerSecret(tracker: number): Promise<string> {
    const response = await fetch(`${baseUrl}/api/v1/trackers/${tracker}/secret`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`The simulator could not create a secret: ${response.status}`);
    return ((await response.json()) as { data: { secret: string } }).data.secret;
  }
}

/** Milliseconds that a machine may lag behind the latest message, since slow machines report every few minutes. */
const maxLag = 15 * 60_000;

/**
 * Leaves out machines that were silent while others still reported: the demo contains missing machines, which must stay
 * missing after a restart. Keeps machines that were silent only because the server was down.
 */
export function withoutMissing<M extends { isOffline: boolean; lastSeenAt: number | undefined }>(
  machines: readonly M[],
): M[] {
  const last = machines.reduce((latest, { lastSeenAt = latest }) => Math.max(latest, lastSeenAt), 0);
  return machines.filter(({ isOffline, lastSeenAt = last }) => !isOffline || lastSeenAt >= last - maxLag);
}

function serverMachinesOf(row: MachineListRow): ServerMachine[] {
  const { id, status, last_seen, battery, tracker, location, latitude, longitude, type } = row;
  const dock = { latitude: location?.latitude ?? latitude, longitude: location?.longitude ?? longitude };
  // Accepts devices of the demo only: the simulator must never send for a real one.
  if (!tracker || !isDemoDevice(tracker.tracker_or_serial) || dock.latitude === null || dock.longitude === null)
    return [];
  const position = { latitude: dock.latitude, longitude: dock.longitude };
  const state = status === 'Cleaning' || status === 'Charging' ? status : 'Parked';
  const currentState = {
    isOffline: status === 'Offline',
    lastSeenAt: last_seen === null ? undefined : Date.parse(last_seen),
  };
  return [
    {
      ...currentState,
      id,
      width: type?.working_width_m ?? null,
      tracker: tracker.id,
      device: tracker.tracker_or_serial,
      state,
      battery: battery ?? 80,
      ...position,
      dock: position,
      heading: 0,
      reportsOften: false,
    },
  ];
}

/**
 * A robot on a floor at its own site, created through the API and deleted afterwards. It has its own site because other
 * tests count the machines of the demo.
 */
import { demoUrl } from './demo';
import { cleanUpAfterwards, type Visitor } from './visit';

export interface RobotOnFloor {
  location: number;
  floor: number;
  machine: number;
  /** Sends observations and runs as the robot. */
  send(items: readonly object[]): Promise<void>;
}

interface CreatedRow {
  data: { id: number };
}

const mapId = 'hall';
export const floorSize = { width_m: 40, height_m: 20 };

/** Adds a floor of 40 by 20 m with three zones. The robot's map is linked to it one to one, in metres. */
export async function addRobotOnFloor(admin: Visitor, { hasPlan = true } = {}): Promise<RobotOnFloor> {
  const name = `hall-${crypto.randomUUID().slice(0, 8)}`;
  const add = async (entity: string, values: object) => (await admin.api<CreatedRow>('POST', entity, values)).data.id;
  const { data: fleets } = await admin.api<{ data: { id: number }[] }>('GET', 'fleets?per_page=1&sort=id');
  const fleet_id = fleets[0]?.id;
  const address = { address: 'Platz 1', city: 'Hamburg', postal_code: '20095', time_zone: 'Europe/Berlin' };
  const location = await add('locations', { name, fleet_id, ...address });
  const tracker = await add('trackers', { refno: name, tracker_or_serial: name, mode: 'http', color: '#0b7a75' });
  const machine = await add('machines', {
    serial_number: name,
    custom_type: 'Scrubber',
    fleet_id,
    location_id: location,
    tracker_id: tracker,
  });
  cleanUpAfterwards(async () => {
    await admin.api('DELETE', `machines/${machine}`);
    await admin.api('DELETE', `trackers/${tracker}`);
  });
  const maps = [{ map_id: mapId, transformation: null }];
  const floor = await add('floors', { name, location_id: location, level: 0, ...floorSize, maps });
  const addZone = (zoneName: string, kind: string, [x, y, width, height]: [number, number, number, number]) =>
    add('zones', {
      name: zoneName,
      floor_id: floor,
      kind,
      polygon: [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ],
    });
  await addZone('North hall', 'clean', [1, 1, 26, 18]);
  await addZone('Stairs', 'no_go', [29, 10, 10, 9]);
  await addZone('Charger', 'dock', [33, 1, 5, 4]);
  if (hasPlan) await uploadPlan(admin, floor);
  const { secret } = (await admin.api<{ data: { secret: string } }>('POST', `trackers/${tracker}/secret`)).data;
  return {
    location,
    floor,
    machine,
    send: async (items) => {
      const response = await fetch(`${demoUrl()}/api/v1/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(items),
      });
      if (!response.ok) throw new Error(`ingest: ${response.status} ${await response.text()}`);
    },
  };
}

/** Walls and pillars of a hall of 40 by 20 m. */
export const hallDrawing = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400" viewBox="0 0 40 20">
  <rect width="40" height="20" fill="#fff"/><path d="M0 0H40V20H0ZM28 0V8M28 12V20" fill="none" stroke="#333" stroke-width=".4"/>
  <circle cx="10" cy="10" r=".6"/><circle cx="18" cy="10" r=".6"/></svg>`;

async function uploadPlan(admin: Visitor, floor: number): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([hallDrawing], { type: 'image/svg+xml' }), 'hall.svg');
  const response = await fetch(`${demoUrl()}/api/v1/floors/${floor}/plan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.session?.token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`plan: ${response.status} ${await response.text()}`);
}

/** An observation with the robot's position on its map. */
export const observationAt = (
  time: Date,
  { x, y, theta }: { x: number; y: number; theta?: number },
  values: object = {},
) => ({
  at: time.toISOString(),
  status: 'cleaning',
  floor: { map_id: mapId, x, y, theta },
  ...values,
});

/** Positions along `lanes` lanes of the hall, one per second. Each lane is 24 m long, a metre from the next. */
export const lanePositions = (lanes: number) =>
  Array.from({ length: lanes }, (_, lane) =>
    Array.from({ length: 25 }, (_, step) => ({ x: lane % 2 === 0 ? 2 + step : 26 - step, y: 2 + lane })),
  ).flat();

/** A run along lanes that ends at a given time: its observations, and the maker's report. */
export function runAlongLanes(lanes: number, end: Date, values: object = {}): object[] {
  const positions = lanePositions(lanes);
  const start = end.getTime() - positions.length * 1000;
  const observations = positions.map((position, second) =>
    observationAt(new Date(start + second * 1000), position, {
      battery: Math.round(90 - (second / positions.length) * 40),
      speed: 1,
      status: second > positions.length * 0.9 ? 'charging' : 'cleaning',
    }),
  );
  const run = {
    external_id: crypto.randomUUID(),
    map_id: mapId,
    started_at: new Date(start).toISOString(),
    ended_at: end.toISOString(),
    ...values,
  };
  return [...observations, { at: end.toISOString(), run }];
}

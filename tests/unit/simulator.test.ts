import { afterEach, expect, test, vi } from 'vitest';
import { cleaningAction } from '../../demo/floors/cleaningAction';
import { demoFloors } from '../../demo/floors/floorPlans';
import type { DemoFloor } from '../../demo/floors/floorShapes';
import { createRandom } from '../../demo/seed/random';
import { advanceMachine } from '../../demo/simulator/advanceMachine';
import type { DeviceReport } from '../../demo/simulator/deviceReport';
import { fetchFleet, withoutMissing } from '../../demo/simulator/fleet';
import { createFloorWalk } from '../../demo/simulator/floorWalk';
import { vda5050 } from '../../demo/simulator/vda5050';
import { applyTransformation } from '../../schema/dsl/transformation';
import { readVda5050 } from '../../server/telemetry/adapters/readVda5050';
import { deriveOrderRuns, type OrderState } from '../../server/telemetry/runs/deriveOrderRuns';
import { readRun } from '../../server/telemetry/runs/readRun';

const minute = 60_000;
/** The last message was this many minutes before the server stopped; `undefined` for none. */
const machine = (name: string, minutesAgo: number | undefined, isOffline = true) => ({
  name,
  isOffline,
  lastSeenAt: minutesAgo === undefined ? undefined : Date.UTC(2026, 9, 20) - minutesAgo * minute,
});
const names = (machines: readonly { name: string }[]) => machines.map(({ name }) => name);

test('starting the server resumes machines that stopped with it, but not those that were silent before', () => {
  const fleet = [
    machine('lively', 0),
    machine('slow', 8),
    machine('missed', 70),
    machine('long missed', 4000),
    machine('new', undefined),
  ];
  expect(names(withoutMissing(fleet))).toEqual(['lively', 'slow', 'new']);
});

test('a machine that sends messages is simulated, however rarely it does', () => {
  expect(names(withoutMissing([machine('lively', 0, false), machine('patient', 60, false)]))).toEqual([
    'lively',
    'patient',
  ]);
});

afterEach(() => vi.unstubAllGlobals());

test('secrets and floors are fetched only if machines are to be simulated fully', async () => {
  const row = (id: number) => ({
    id,
    status: 'Parked',
    last_seen: null,
    battery: 50,
    latitude: 53.5,
    longitude: 10,
    location: null,
    type: null,
    tracker: { id, tracker_or_serial: '865030000000000' },
  });
  const paths: string[] = [];
  const respondTo = (path: string) => {
    if (path.endsWith('/login')) return { token: 'x' };
    if (path.endsWith('/secret')) return { data: { secret: 'y' } };
    return { data: path.includes('/machines') && path.endsWith('page=1') ? [row(1), row(2)] : [] };
  };
  vi.stubGlobal('fetch', async (url: string) => {
    paths.push(url);
    return Response.json(respondTo(url));
  });
  const access = { baseUrl: 'http://demo', email: 'a@example.com', password: 'b' };
  const takePaths = () => paths.splice(0).join('\n');
  expect(await fetchFleet(access, 10, 1)).toMatchObject([{ reportsOften: true, secret: 'y' }, { reportsOften: true }]);
  expect(takePaths()).toMatch(/\/floors/);
  expect(await fetchFleet(access, 10)).toMatchObject([{ reportsOften: false }, { reportsOften: false }]);
  const pathsOfRareReports = takePaths();
  expect(pathsOfRareReports).toMatch(/\/machines/);
  expect(pathsOfRareReports).not.toMatch(/\/floors|\/secret/);
});

/** Reports of a robot on a floor, every three seconds. */
function driveOn(floor: DemoFloor, count: number): DeviceReport[] {
  const dock = { latitude: 53.5, longitude: 10 };
  const robot = {
    device: 'robot',
    state: 'Parked' as const,
    battery: 98,
    ...dock,
    dock,
    heading: 0,
    reportsOften: true,
    walk: createFloorWalk(floor, 0.75, true),
  };
  const random = createRandom(5);
  const start = Date.UTC(2026, 9, 20);
  return Array.from({ length: count }, (_, index) =>
    advanceMachine(
      robot,
      { areaTotal: 0, odometer: 0 },
      { at: new Date(start + index * 3000), seconds: 3, random: random.next },
    ),
  );
}

test.each(demoFloors)('a robot drives lanes on $name around obstacles, and reports the completed run', (floor) => {
  const reports = driveOn(floor, 3000);
  const cleaning = reports.filter(({ state }) => state === 'Cleaning');
  expect(cleaning.length).toBeGreaterThan(300);
  for (const { floor: place } of cleaning) {
    const [x, y] = applyTransformation(floor.transformation, [place?.x ?? 0, place?.y ?? 0]);
    expect([x > 0 && x < floor.width, y > 0 && y < floor.height]).toEqual([true, true]);
    const containingShapes = floor.shapes.filter(
      ({ at: [left, low, right, high] }) => x > left + 0.1 && x < right - 0.1 && y > low + 0.1 && y < high - 0.1,
    );
    expect(containingShapes, `${x}, ${y}`).toEqual([]);
  }
  const runs = reports.flatMap(({ run }) => run ?? []);
  expect(runs.length).toBeGreaterThan(0);
  for (const run of runs)
    expect(readRun(run, { deviceTime: undefined, now: new Date() })).toMatchObject({ values: { map_id: floor.mapId } });
});

test.each(['2.0.0', '2.1.0', '3.0.0'] as const)('states of VDA 5050 %s become the runs of their orders', (version) => {
  const [floor] = demoFloors.filter(({ failsOften }) => failsOften);
  const states = driveOn(floor as DemoFloor, 2500).map((report): OrderState => {
    const { body = '' } = vda5050(version)({ device: 'robot', secret: '' }, [report]);
    const read = readVda5050(Buffer.from(body), { topic: 'state', isCleaning: (type) => type === cleaningAction });
    const { attributes, ...rest } = read;
    return {
      ...rest,
      at: report.at,
      latitude: null,
      longitude: null,
      odometer: null,
      area_total: null,
      attributes: { ...attributes },
    } as OrderState;
  });
  const runs = deriveOrderRuns(states);
  expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['completed', 'failed']));
  for (const run of runs) expect(run).toMatchObject({ mapId: floor?.mapId, action: cleaningAction });
  expect(runs[0]?.distance).toBeGreaterThan(1000);
  const reasons = runs.flatMap(({ interruptions }) => interruptions.map(({ reason }) => reason));
  expect(new Set(reasons)).toEqual(new Set(['fieldViolation']));
});

/**
 * Stores runs of the demo's robots as their sources report them: a maker's cloud, our own batch format, or VDA 5050.
 */

import { sql } from 'drizzle-orm';
import { readEnv } from '../../server/context/env';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { storeVendorMessage } from '../../server/features/integrations/storeVendorMessage';
import { storeReportedRuns } from '../../server/telemetry/runs/storeReportedRuns';
import { isoOfSeconds } from '../../server/telemetry/timeline/timeline';
import { cleaningAction } from '../floors/cleaningAction';
import type { DemoFloor, RobotRole } from '../floors/floorShapes';
import { type PlannedRun, planRun } from './planRun';

/** A machine of the demo that cleans a floor as a robot. */
export interface FloorRobot {
  id: number;
  serial: string;
  /** Width of the robot's tool in metres. */
  width: number;
  role: RobotRole;
}

interface ReportRequest {
  floor: DemoFloor;
  floorId: number;
  location: number;
  client: number;
  robot: FloorRobot;
  stretches: readonly { from: number; to: number }[];
  now: Date;
}

interface RobotRun extends PlannedRun {
  from: number;
  to: number;
  /** Unique per robot. */
  key: string;
}

/** Stores the runs of a robot, one per stretch. Stores nothing for derived runs, which the server derives itself. */
export async function reportRuns(tx: Queries, { stretches, robot, floor, ...request }: ReportRequest): Promise<void> {
  if (robot.role === 'derived') return;
  const runs = stretches.map((stretch): RobotRun => {
    const { from } = stretch;
    const plan = planRun({ floor, machineId: robot.id, width: robot.width, ...stretch });
    return { ...plan, ...stretch, key: `${floor.mapId}-${isoOfSeconds(from).slice(0, 16)}` };
  });
  if (robot.role === 'batch' || robot.role === 'vda') {
    await storeReportedRuns(
      tx,
      runs.map((run) => ({
        machineId: robot.id,
        reportedAt: new Date(run.to * 1000),
        values: robot.role === 'vda' ? orderRun(run, floor) : batchRun(run, floor),
      })),
      request.now,
    );
    return;
  }
  const vendor = vendors[robot.role];
  const integration = { ...(await insertIntegration(tx, robot.role, request.client)), mapping: null };
  const messages = [runs.map((run) => vendor.report(run, { serial: robot.serial, task: floor.task }))];
  // A report of an unknown robot, which is stored as unreadable until the robot is entered.
  messages.push(runs.slice(0, 1).map((run) => vendor.report(run, { serial: vendor.unknownSerial, task: floor.task })));
  for (const reports of messages)
    await storeVendorMessage(
      tx,
      { env: readEnv({}), now: request.now },
      { integration, body: Buffer.from(JSON.stringify(vendor.wrap(reports))), receivedAt: request.now },
    );
  await tx.rows(sql`
    update runs set floor_id = ${request.floorId}::int
    where machine_id = ${robot.id}::int and source = 'reported' and floor_id is null`);
}

const batchRun = (run: RobotRun, { task, mapId }: DemoFloor): Record<string, unknown> => ({
  ...{ external_id: run.key, task_id: mapId, task_name: task, mode: 'scrub', map_id: mapId },
  ...{ started_at: isoOfSeconds(run.from), ended_at: isoOfSeconds(run.to), outcome: run.outcome },
  ...{
    planned_area_m2: run.plannedArea,
    cleaned_area_m2: run.cleanedArea,
    distance_m: run.distance,
    water_l: run.water,
  },
  ...{ battery_start: run.batteryStart, battery_end: run.batteryEnd, interruptions: run.interruptions },
});

/** Builds a run as the states of a VDA 5050 vehicle would report it. */
const orderRun = (run: RobotRun, floor: DemoFloor): Record<string, unknown> => ({
  ...batchRun(run, floor),
  ...{ task_id: run.key, mode_raw: cleaningAction },
});

interface ReportContext {
  serial: string;
  task: string;
}

/** Reports in the formats of makers' clouds. */
const vendors = {
  gausium: {
    name: 'Gausium cloud',
    unknownSerial: 'GS442-6130-QXR-7000',
    wrap: (taskReports: object[]): object => ({ taskReports }),
    report: (run: RobotRun, { serial, task }: ReportContext): object => ({
      ...{ id: `${serial}-${run.key}`, displayName: task, robotSerialNumber: serial, taskId: 'task-1' },
      ...{
        startTime: isoOfSeconds(run.from),
        endTime: isoOfSeconds(run.to),
        durationSeconds: run.to - run.from,
        operator: 'night shift',
      },
      ...{ cleaningMode: '洗地', taskEndStatus: run.outcome === 'aborted' ? 1 : run.outcome === 'failed' ? 2 : 0 },
      ...{ plannedCleaningAreaSquareMeter: run.plannedArea, actualCleaningAreaSquareMeter: run.cleanedArea },
      ...{ waterConsumptionLiter: run.water },
      ...{ startBatteryPercentage: run.batteryStart, endBatteryPercentage: run.batteryEnd },
      consumablesResidualPercentage: { brush: 82, filter: 64.5, suctionBlade: 41.2 },
    }),
  },
  pudu: {
    name: 'Pudu cloud',
    unknownSerial: '811064412050002',
    wrap: (list: object[]): object => ({ message: 'SUCCESS', data: { total: list.length, list } }),
    report: (run: RobotRun, { serial, task }: ReportContext): object => ({
      ...{ report_id: `${serial}-${run.key}`, sn: serial, task_id: 'task-1', task_name: task, mode: 1, sub_mode: 1 },
      ...{ status: run.outcome === 'aborted' ? 6 : run.outcome === 'failed' ? 5 : 4 },
      ...{ start_time: run.from, end_time: run.to, clean_time: run.to - run.from },
      ...{ task_area: run.plannedArea, clean_area: run.cleanedArea, cost_water: run.water * 1000, cost_battery: 60 },
    }),
  },
} as const;

async function insertIntegration(tx: Queries, preset: 'gausium' | 'pudu', client: number) {
  const row = await tx.selectOne(
    { id: pg.integer },
    sql`insert into integrations (name, preset, client_id) values (${vendors[preset].name}, ${preset}, ${client}::int)
      returning id`,
  );
  const { id } = row as { id: number };
  await tx.rows(sql`update integrations_state set last_received = now() where id = ${id}::int`);
  return { id, name: vendors[preset].name, clientId: client, preset };
}

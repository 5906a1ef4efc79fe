/**
 * Derives runs of timelines that were stored by an earlier version or in bulk: machine by machine, backwards in time,
 * in short transactions. The remaining work is in `past_runs`, so it resumes after a crash.
 */

import { sql } from 'drizzle-orm';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { tryAdvisoryLock } from '../../db/core/tryAdvisoryLock';
import { lockMachines } from '../timeline/lockMachines';
import { defaultPauseLimit } from './deriveRuns';
import { refreshMachine } from './refreshDerivedRuns';
import { maxSilenceOfTask, supersedeRuns } from './supersedeRuns';

const daySeconds = 86_400;
/** Milliseconds of one turn, and the target duration of one step: the number of days per step is adapted to it. */
const [turnMilliseconds, stepMilliseconds] = [300, 100];
const maxDays = 64;

/** Works for one turn. Safe in every process: only one works at a time. */
export async function derivePastRuns({ db }: Pick<Services, 'db'>): Promise<void> {
  const startedAt = performance.now();
  let days = 1;
  while (performance.now() - startedAt < turnMilliseconds) {
    const stepStartedAt = performance.now();
    if (!(await db.transaction((tx) => deriveStep(tx, days), { maxSilence: maxSilenceOfTask }))) return;
    const duration = performance.now() - stepStartedAt;
    days = Math.max(
      1,
      Math.min(
        maxDays,
        duration < stepMilliseconds / 2 ? days * 2 : duration > stepMilliseconds ? Math.floor(days / 2) : days,
      ),
    );
  }
}

/** Processes the latest remaining days of one machine. Returns false if nothing is left for this process. */
async function deriveStep(tx: Queries, days: number): Promise<boolean> {
  if (!(await tryAdvisoryLock(tx, 'derivedRuns'))) return false;
  const pendingMachine = await tx.selectOne(
    { machine: pg.integer, to: pg.double.nullable, pause: pg.integer },
    sql`select p.machine_id as machine, coalesce(t.run_pause, ${defaultPauseLimit}::int) as pause, (
        select extract(epoch from least(s.to_at, p.before))::float8 from segments s where s.machine_id = p.machine_id
        and s.state = 'Cleaning' and s.from_at < p.before and s.to_at is not null order by s.from_at desc limit 1) as to
      from past_runs p left join machines m on m.id = p.machine_id left join types t on t.id = m.type_id
      order by p.machine_id limit 1`,
  );
  if (!pendingMachine) return false;
  const { machine, to, pause } = pendingMachine;
  if (to === null) {
    await tx.rows(sql`delete from past_runs where machine_id = ${machine}::int`);
    return true;
  }
  const from = to - days * daySeconds;
  await lockMachines(tx, [machine]);
  const { spans } = await refreshMachine(tx, { machineId: machine, from, to, pauseLimit: pause });
  await supersedeRuns(tx, spans);
  await tx.rows(sql`update past_runs set before = to_timestamp(${from}) where machine_id = ${machine}::int`);
  return true;
}

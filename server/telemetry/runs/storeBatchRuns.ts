/** Stores the runs in a batch of a device. */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { reportTimeOf } from './correctRun';
import { type StoreRunsResult, storeReportedRuns } from './storeReportedRuns';

/** Values of a run as `readRun` returns them, and the index of its item in the batch. */
export interface BatchRun {
  values: Record<string, unknown>;
  /** Device time of the report. */
  at: Date | undefined;
  index: number;
}

interface BatchContext {
  machineId: number;
  trackerId: number;
  receivedAt: Date;
  /** The item of the batch, as received. */
  rawOf: (index: number) => { device: string; body: Uint8Array };
}

/** Stores the runs of a batch and their raw messages. Throws one 422 if any does not fit its floor. */
export async function storeBatchRuns(
  tx: Queries,
  runs: readonly BatchRun[],
  { machineId, trackerId, receivedAt, rawOf }: BatchContext,
): Promise<Pick<StoreRunsResult, 'stored' | 'correctedRuns' | 'events'>> {
  if (runs.length === 0) return { stored: 0, correctedRuns: [], events: [] };
  const { stored, correctedRuns, problems, events } = await storeReportedRuns(
    tx,
    runs.map(({ values, at }) => ({ machineId, values, ...reportTimeOf(at, receivedAt) })),
    receivedAt,
  );
  if (problems.length > 0)
    throw ApiError.invalid(
      new Map(problems.map(({ index, field, problem }) => [`${runs[index]?.index}.run.${field}`, [problem]])),
    );
  const rawMessages = runs.map(({ index }) => rawOf(index));
  await tx.rows(sql`
    insert into raw_messages (received_at, protocol, device, tracker_id, machine_id, media_type, body)
    select ${receivedAt.toISOString()}::timestamptz, 'own', ${rawMessages[0]?.device ?? ''}, ${trackerId}::int,
      ${machineId}::int, 'application/json', decode(body, 'base64')
    from unnest(${sql.param(rawMessages.map(({ body }) => Buffer.from(body).toString('base64')))}::text[]) as body`);
  return { stored, correctedRuns, events };
}

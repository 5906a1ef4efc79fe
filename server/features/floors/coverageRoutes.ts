/** `GET /runs/{id}/coverage` and `/path`, `GET /floors/{id}/coverage`. */
import { sql } from 'drizzle-orm';
import type { RunCoverage } from '../../../schema/endpoints/floors';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { serve } from '../../endpoints/serve';
import { formatMessage, type Sentence } from '../../i18n/messages';
import { type CoverageResult, createCoverageComputation } from './computeCoverage';
import { type FloorRow, findFloorOfRun, type RunPeriod, readFloor, readRunPeriods } from './floorRows';
import { buildTransformations, type MapPosition, placeOnFloor, readMapPositions } from './readFloorPath';
import { TooLarge } from './sampleRows';
import { ThinnedPath } from './thinnedPath';

const dayLength = 86_400_000;
const defaultDays = 7;
const maxDays = 3700;

type Coverage = Omit<RunCoverage, 'width_m'>;
type Reason = Extract<Sentence, `api.coverage_${string}`>;

export const coverageRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const runs = model.require('runs');
  const computeCoverage = createCoverageComputation(db);

  serve(app, 'GET /runs/{id}/coverage', async ({ params: { id } }, { caller }) => {
    const run = await readRun(db, id);
    const floor = await findFloorOfRun(services, caller, run);
    return { data: { ...(await describeCoverage(caller, floor, [run])), width_m: run.width } };
  });

  serve(app, 'GET /runs/{id}/path', async ({ params: { id }, services: source }, { caller }) => {
    const run = await readRun(source.db, id);
    const floor = await findFloorOfRun(source, caller, run);
    const transformations = buildTransformations(floor?.maps ?? null);
    const path = new ThinnedPath<PathPoint>();
    for await (const page of floor ? readMapPositions(source.db, run) : [])
      for (const position of page) {
        const floorPosition = placeOnFloor(position, transformations);
        if (floorPosition) path.add({ ...machineValuesOf(position), ...floorPosition });
      }
    return { data: path.points() };
  });

  serve(app, 'GET /floors/{id}/coverage', async ({ params: { id }, query }, { caller }) => {
    const floor = await readFloor(db, id);
    const { from, to } = parseDays(query, services.now());
    const periods = await readRunPeriods(
      db,
      sql`r.floor_id = ${id} and r.deleted_at is null and r.superseded_by is null
        and ${scopeWhere(runs, caller, sql`r`)}
        and exists (select from locations l where l.id = r.location_id
          and r.started_at >= ${from}::date::timestamp at time zone l.time_zone
          and r.started_at < (${to}::date + 1)::timestamp at time zone l.time_zone)`,
    );
    return { data: { ...(await describeCoverage(caller, floor, periods)), runs: periods.length } };
  });

  async function describeCoverage(
    { language }: Caller,
    floor: FloorRow | undefined,
    periods: readonly RunPeriod[],
  ): Promise<Coverage> {
    const reasonText = (reason: Reason) => formatMessage(language, reason);
    if (!floor) return { ...unknownCoverage, reason: reasonText('api.coverage_no_floor') };
    try {
      const result = await computeCoverage(floor, periods);
      if (result.positions > 0) return { ...coverageFields(result), floor_id: floor.id, reason: null };
      const reason = result.elsewhere > 0 ? 'api.coverage_unknown_map' : 'api.coverage_no_positions';
      return { ...unknownCoverage, floor_id: floor.id, reason: reasonText(reason) };
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      return { ...unknownCoverage, floor_id: floor.id, reason: reasonText('api.coverage_too_large') };
    }
  }
};

const unknownCoverage = {
  floor_id: null,
  covered_m2: null,
  twice_m2: null,
  missed_m2: null,
  zones: [],
  image: null,
  bounds: null,
  positions: 0,
};

const coverageFields = ({ figures, image, bounds, positions }: CoverageResult) => ({
  ...figures,
  image,
  bounds,
  positions,
});

type PathPoint = ReturnType<typeof machineValuesOf> & NonNullable<ReturnType<typeof placeOnFloor>>;

const machineValuesOf = ({ at, speed, state, battery }: MapPosition) => ({ at, speed, state, battery });

async function readRun(db: Queries, id: number): Promise<RunPeriod> {
  const [run] = await readRunPeriods(db, sql`r.id = ${id}`);
  if (!run) throw ApiError.notFound();
  return run;
}

/**
 * Parses the first and the last day, inclusive, which are local days of each run's location. Defaults to the seven days
 * that end today (UTC).
 */
function parseDays(
  { from: start, to: end }: { from?: string | null; to?: string | null },
  now: Date,
): { from: string; to: string } {
  const to = end ?? now.toISOString().slice(0, 10);
  const from = start ?? new Date(Date.parse(to) - (defaultDays - 1) * dayLength).toISOString().slice(0, 10);
  const days = (Date.parse(to) - Date.parse(from)) / dayLength + 1;
  if (days < 1) throw ApiError.invalidAt('to', { text: 'period_backwards' });
  if (days > maxDays) throw ApiError.invalidAt('from', { text: 'period_too_long', values: { days: maxDays } });
  return { from, to };
}

/**
 * Evaluates alert rules about zones. Coverage is computed before the transaction, floor by floor within a time limit;
 * floors that were not reached come first in the next evaluation, and their alerts stay as they are until then.
 */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import { advisoryLocks } from '../../db/core/advisoryLocks';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { isoOfSeconds } from '../../telemetry/timeline/timeline';
import { createCoverageComputation } from '../floors/computeCoverage';
import { type FloorRow, readFloor } from '../floors/floorRows';
import { groupFirings, isInSameGroup } from './firings';
import { enqueueAlertMessages } from './messages';
import { neverCleanedValue } from './summaryText';
import {
  findUncleanedSpans,
  longSearchStart,
  readZoneFingerprint,
  readZoneHistory,
  searchStart,
  selectCleanZones,
  watchedFloorColumns,
  watchedFloorShape,
  watchedFloorWhere,
  zoneLimit,
} from './zoneHistory';

type ZoneServices = Pick<Services, 'db' | 'live' | 'model' | 'now'>;

const ruleShape = {
  ...watchedFloorShape,
  rule_id: pg.integer,
  threshold: pg.integer,
  /** Last change of the rule in seconds since 1970. An alert opens at that time at the earliest. */
  rule_changed: pg.double,
};
type RuleFloor = RowOf<typeof ruleShape>;

const activeRulesWhere = sql`r.metric = 'zone_uncleaned' and r.is_active and r.deleted_at is null`;

const readRules = (db: Queries): Promise<RuleFloor[]> =>
  db.select(
    ruleShape,
    sql`
    select r.id as rule_id, r.threshold, floor(extract(epoch from r.updated_at))::float8 as rule_changed,
      ${watchedFloorColumns}
    from alert_rules r join clients c on c.id = r.client_id and c.deleted_at is null
    join fleets fl on fl.client_id = r.client_id join locations l on l.fleet_id = fl.id
    join floors f on f.location_id = l.id
    where ${activeRulesWhere} and ${watchedFloorWhere} order by f.id, r.id`,
  );

/** A zone that was not cleaned for longer than a rule allows. */
interface UncleanedZone {
  rule_id: number;
  floor_id: number;
  location_id: number;
  zone_id: number;
  /** Local day of the last cleaning, or on which the zone was drawn. */
  day: string;
  /** `neverCleanedValue` or null. */
  value: number | null;
  /** Start of the held interval, and time of the firing, in seconds since 1970. */
  since: number;
  at: number;
}

interface FloorState {
  fingerprint: string;
  floor: FloorRow;
  /** Latest cleaning by zone; `undefined` if the floor is not evaluated. */
  latestCleanings: Map<number, Date | undefined> | undefined;
  /**
   * Latest known cleaning by zone, for zones without one in the period that every evaluation searches. The long search
   * for it runs once per version of the floor, and again if a cleaning within that period has been deleted.
   */
  earlierCleanings: Map<number, Date | undefined>;
}

/**
 * Returns a function that evaluates the rules and returns the number of alerts opened, extended or closed. It caches
 * results between calls. After `timeLimit` milliseconds it begins no further floor.
 */
export function createZoneEvaluation(services: ZoneServices, { timeLimit = 4000 } = {}): () => Promise<number> {
  const { db, model } = services;
  const computeCoverage = createCoverageComputation(db);
  const states = new Map<number, FloorState>();
  let lastEvaluated = new Map<number, number>();

  return async () => {
    const rules = await readRules(db);
    const now = services.now();
    const floors = new Map<number, RuleFloor[]>();
    for (const rule of rules) addToGroup(floors, rule.floor_id, rule);
    lastEvaluated = new Map([...floors.keys()].map((id) => [id, lastEvaluated.get(id) ?? 0]));
    for (const id of states.keys()) if (!floors.has(id)) states.delete(id);
    const startedAt = performance.now();
    const uncleanedZones: UncleanedZone[] = [];
    const deferredFloors: number[] = [];
    for (const [id, floorRules] of [...floors].sort(
      ([a], [b]) => (lastEvaluated.get(a) ?? 0) - (lastEvaluated.get(b) ?? 0),
    )) {
      if (performance.now() - startedAt > timeLimit) {
        deferredFloors.push(id);
        continue;
      }
      lastEvaluated.set(id, now.getTime());
      const state = await readState(floorRules, now);
      if (state) for (const rule of floorRules) uncleanedZones.push(...findUncleanedZones(rule, state, now));
    }
    return storeZoneAlerts(services, { uncleanedZones, deferredFloors, now });
  };

  async function readState(rules: readonly RuleFloor[], now: Date): Promise<FloorState | undefined> {
    const [firstRule] = rules as [RuleFloor];
    const floor = await readFloor(db, firstRule.floor_id);
    if (!floor) return undefined;
    const since = searchStart(floor, Math.max(...rules.map(({ threshold }) => threshold)), now);
    const fingerprint = await readZoneFingerprint(db, firstRule, { floor, since, now });
    const floorState = states.get(floor.id);
    if (floorState?.fingerprint === fingerprint) return floorState;
    const readLatest = async (from: Date) => {
      const history = await readZoneHistory({ db, model }, computeCoverage, {
        watchedFloor: firstRule,
        floor,
        since: from,
        isLatestOnly: true,
      });
      return history && new Map([...history].map(([id, cleanings]) => [id, latestTime(cleanings)]));
    };
    const isSameFloor = floorState?.floor.version === floor.version;
    // Without a measured run, the floor is not evaluated. Older runs may not have been measured yet.
    const latestCleanings =
      (await readLatest(since)) ?? (isSameFloor ? undefined : await readLatest(longSearchStart(floor, now)));
    const earlierCleanings = isSameFloor ? floorState.earlierCleanings : new Map<number, Date | undefined>();
    for (const [id, end] of latestCleanings ?? []) if (end) earlierCleanings.set(id, end);
    const missingZones = selectCleanZones(floor).filter(
      ({ id, created_at }) => created_at < since && !latestCleanings?.get(id),
    );
    const isKnown = (id: number) => {
      const cleaning = earlierCleanings.get(id);
      return earlierCleanings.has(id) && !(cleaning && cleaning >= since);
    };
    if (latestCleanings && !missingZones.every(({ id }) => isKnown(id))) {
      const olderCleanings = await readLatest(longSearchStart(floor, now));
      for (const { id } of missingZones) earlierCleanings.set(id, olderCleanings?.get(id));
    }
    for (const { id } of missingZones) latestCleanings?.set(id, earlierCleanings.get(id));
    // Computing coverage stores it, which changes the fingerprint, so the next evaluation reads the floor once more.
    const state = { fingerprint, floor, latestCleanings, earlierCleanings };
    states.set(floor.id, state);
    return state;
  }
}

const latestTime = (times: readonly Date[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(Math.max(...times.map((time) => time.getTime())));

function findUncleanedZones(rule: RuleFloor, { floor, latestCleanings }: FloorState, now: Date): UncleanedZone[] {
  const { rule_id, floor_id, location_id, time_zone, threshold, rule_changed } = rule;
  if (!latestCleanings) return [];
  const start = longSearchStart(floor, now);
  return selectCleanZones(floor).flatMap((zone) => {
    const countedFrom = zone.created_at > start ? zone.created_at : start;
    const lastCleaning = latestCleanings.get(zone.id);
    const limit = zoneLimit(zone, threshold);
    const [span] = findUncleanedSpans([], { start: lastCleaning ?? countedFrom, limit, timeZone: time_zone, now });
    if (!span) return [];
    const since = span.from / 1000;
    const firedAt = Math.min(now.getTime() / 1000, Math.max(since, rule_changed));
    const value = lastCleaning === undefined && zone.created_at >= start ? neverCleanedValue : null;
    return [{ rule_id, floor_id, location_id, zone_id: zone.id, day: span.day, value, since, at: firedAt }];
  });
}

interface ZoneEvaluation {
  uncleanedZones: readonly UncleanedZone[];
  deferredFloors: readonly number[];
  now: Date;
}

async function storeZoneAlerts({ db, live }: ZoneServices, evaluation: ZoneEvaluation): Promise<number> {
  const { now } = evaluation;
  const events = await db.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.alertEvaluation})`);
    const { openedIds, joinedIds } = await openNewAlerts(tx, evaluation);
    const closedAlerts = await closeResolvedAlerts(tx, evaluation);
    const notifiedIds = closedAlerts.filter(({ notified }) => notified).map(({ id }) => id);
    await enqueueAlertMessages(tx, { fired: openedIds, closed: notifiedIds, reminder: [] }, now);
    return [
      ...openedIds.map((id): LiveEvent => ({ entity: 'alerts', id, type: 'created' })),
      ...[...joinedIds, ...closedAlerts.map(({ id }) => id)].map(
        (id): LiveEvent => ({ entity: 'alerts', id, type: 'updated' }),
      ),
    ];
  });
  await live.publish(events);
  return events.length;
}

/** SQL: the uncleaned zones as table `h`. */
const uncleanedRowsSql = (uncleanedZones: readonly UncleanedZone[]): SQL => sql`
  jsonb_to_recordset(${JSON.stringify(
    uncleanedZones.map((zone) => ({ ...zone, since: isoOfSeconds(zone.since) })),
  )}::text::jsonb)
  as h(rule_id int, floor_id int, location_id int, zone_id int, day text, value float8, since timestamptz,
    at float8)`;

const newFiringShape = {
  rule_id: pg.integer,
  floor_id: pg.integer,
  location_id: pg.integer,
  zone_id: pg.integer,
  day: pg.text,
  value: pg.double.nullable,
  at: pg.double,
};
type NewZoneFiring = RowOf<typeof newFiringShape>;

async function openNewAlerts(
  tx: Queries,
  { uncleanedZones }: ZoneEvaluation,
): Promise<{ openedIds: number[]; joinedIds: number[] }> {
  const [openedIds, joinedIds]: [number[], number[]] = [[], []];
  if (uncleanedZones.length === 0) return { openedIds, joinedIds };
  const rows = await tx.select(
    newFiringShape,
    sql`
    select h.rule_id, h.floor_id, h.location_id, h.zone_id, h.day, h.value, h.at
    from ${uncleanedRowsSql(uncleanedZones)} join alert_rules r on r.id = h.rule_id and ${activeRulesWhere}
    join floors f on f.id = h.floor_id join zones z on z.id = h.zone_id and z.deleted_at is null
    where not exists (
      select from alerts a join alerts_zones k on k.alerts_id = a.id
      where a.rule_id = h.rule_id and k.zones_id = h.zone_id and a.deleted_at is null
        and (a.state <> 'closed' or (a.closed_by is not null and a.closed_at >= h.since)))
    order by h.rule_id, h.floor_id, z.name, h.zone_id`,
  );
  for (const { at, firings } of groupFirings(rows, alertGroupKey)) {
    const [firstFiring] = firings as [NewZoneFiring];
    const openAlertId = await findOpenAlert(tx, firstFiring, at);
    const id = openAlertId ?? (await openAlert(tx, firstFiring, at));
    await tx.rows(
      sql`insert into alerts_zones (alerts_id, zones_id)
        select ${id}::int, unnest(${sql.param(firings.map(({ zone_id }) => zone_id))}::int[]) on conflict do nothing`,
    );
    (openAlertId === undefined ? openedIds : joinedIds).push(id);
  }
  return { openedIds, joinedIds };
}

/** Zones of one floor that were last cleaned on the same day share an alert; so do those drawn on the same day. */
const alertGroupKey = ({ rule_id, floor_id, day, value }: NewZoneFiring) => `${rule_id} ${floor_id} ${day} ${value}`;

async function findOpenAlert(tx: Queries, { rule_id, floor_id, day, value }: NewZoneFiring, firedAt: number) {
  const rows = await tx.select(
    { id: pg.integer, at: pg.double },
    sql`
    select id, extract(epoch from opened_at)::float8 as at from alerts
    where rule_id = ${rule_id}::int and floor_id = ${floor_id}::int and code = ${day}::text
      and value is not distinct from ${value}::float8 and state <> 'closed' and deleted_at is null
    order by opened_at`,
  );
  return rows.find((alert) => isInSameGroup(alert.at, firedAt))?.id;
}

async function openAlert(
  tx: Queries,
  { rule_id, floor_id, location_id, day, value }: NewZoneFiring,
  firedAt: number,
): Promise<number> {
  const alert = await tx.selectOne(
    { id: pg.integer },
    sql`
    insert into alerts (rule_id, client_id, location_id, floor_id, metric, severity, code, value, opened_at,
      next_reminder)
    select r.id, r.client_id, ${location_id}::int, ${floor_id}::int, r.metric, r.severity, ${day}::text,
      ${value}::float8, ${isoOfSeconds(firedAt)}::timestamptz, ${isoOfSeconds(firedAt)}::timestamptz + r.repeat_time *
        interval '1 second'
    from alert_rules r where r.id = ${rule_id}::int returning id`,
  );
  return (alert as { id: number }).id;
}

/** Closes alerts whose zones have all been cleaned or deleted, or are no longer watched. */
const closeResolvedAlerts = (tx: Queries, { uncleanedZones, deferredFloors, now }: ZoneEvaluation) =>
  tx.select(
    { id: pg.integer, notified: pg.boolean },
    sql`
    update alerts a set state = 'closed', closed_at = ${now.toISOString()}::timestamptz, next_reminder = null
    from alert_rules r
    where r.id = a.rule_id and r.metric = 'zone_uncleaned' and a.state <> 'closed' and a.deleted_at is null
      and not exists (select from alerts_zones k join ${uncleanedRowsSql(uncleanedZones)} on h.zone_id = k.zones_id
        where k.alerts_id = a.id and h.rule_id = a.rule_id)
      and not (a.floor_id = any(${sql.param([...deferredFloors])}::int[]) and ${activeRulesWhere})
    returning a.id, r.is_active and r.deleted_at is null and r.tell_closed as notified`,
  );

/** Unsaved edits of the zones of a floor, with undo. Pure. */
import type { Row } from '../../../schema/dsl/entity';
import { isSelfCrossing, type Point, polygonArea } from '../../../schema/dsl/polygons';
import type { zones } from '../../../schema/entities/zones';
import type { ZoneKind } from './planPlaces';
import { roundMetres, splitPolygon } from './splitPolygon';

export type ZoneRow = Pick<Row<typeof zones>, 'id' | 'version' | 'name' | 'kind' | 'every_days' | 'polygon'>;

export interface ZoneDraft {
  /** Identifies the draft while it is edited; a new zone has no id yet. */
  key: string;
  /** Id of the stored row; its version when the edit began. */
  id?: number;
  version?: number;
  name: string;
  kind: ZoneKind;
  every_days: number | null;
  polygon: readonly Point[];
}

export interface ZoneDrafts {
  zones: readonly ZoneDraft[];
  /** Corners of the zone being drawn. */
  newOutline?: readonly Point[] | undefined;
}

export const draftsOf = (rows: readonly ZoneRow[]): ZoneDraft[] =>
  rows.map(({ id, version, name, kind, every_days, polygon }) => ({
    key: `zone-${id}`,
    id,
    version,
    name,
    kind: kind as ZoneKind,
    every_days,
    polygon: polygon as Point[],
  }));

/** Text key of the problem of an outline; `undefined` if it can be saved. */
export function outlineProblem(polygon: readonly Point[]): 'few_corners' | 'crosses' | undefined {
  if (polygon.length < 3) return 'few_corners';
  return isSelfCrossing(polygon) || polygonArea(polygon) === 0 ? 'crosses' : undefined;
}

export const changeZone = (zones: readonly ZoneDraft[], key: string, change: Partial<ZoneDraft>): ZoneDraft[] =>
  zones.map((zone) => (zone.key === key ? { ...zone, ...change } : zone));

export function addZone(zones: readonly ZoneDraft[], zone: Omit<ZoneDraft, 'key'>): ZoneDraft[] {
  const usedKeys = new Set(zones.map(({ key }) => key));
  let number = 1;
  while (usedKeys.has(`new-${number}`)) number += 1;
  return [...zones, { ...zone, key: `new-${number}` }];
}

export const roundPoint = ([x, y]: Point): Point => [roundMetres(x), roundMetres(y)];

export const moveCorner = (polygon: readonly Point[], index: number, to: Point): Point[] =>
  polygon.map((corner, cornerIndex) => (cornerIndex === index ? roundPoint(to) : corner));

export function moveOutline(polygon: readonly Point[], to: Point): Point[] {
  const [fromX, fromY] = middleOf(polygon);
  return polygon.map(([x, y]) => roundPoint([x + to[0] - fromX, y + to[1] - fromY]));
}

/** Inserts a corner halfway to the next one. */
export function insertCorner(polygon: readonly Point[], index: number): Point[] {
  const [x, y] = polygon[index] as Point;
  const [nextX, nextY] = polygon[(index + 1) % polygon.length] as Point;
  return polygon.toSpliced(index + 1, 0, roundPoint([(x + nextX) / 2, (y + nextY) / 2]));
}

/**
 * Splits a zone: it keeps the largest piece, the others become zones of the same kind. `undefined` if nothing is split.
 */
export function splitZone(zones: readonly ZoneDraft[], key: string, from: Point, to: Point): ZoneDraft[] | undefined {
  const zone = zones.find((draft) => draft.key === key);
  const [first, ...others] = (zone && splitPolygon(zone.polygon, from, to)) ?? [];
  if (!zone || !first) return undefined;
  const { name, kind, every_days } = zone;
  return others.reduce(
    (drafts, polygon) => addZone(drafts, { name: freeName(drafts, name), kind, every_days, polygon }),
    changeZone(zones, key, { polygon: first }),
  );
}

/** The first unused name: `Hall 2` for a second `Hall`. */
export function freeName(zones: readonly ZoneDraft[], name: string): string {
  const names = new Set(zones.map((zone) => zone.name));
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** Centre of the outline's bounds, where the handle for the whole outline is. */
export function middleOf(polygon: readonly Point[]): Point {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/** A stored zone to delete or change, as it was when the edit began. */
export interface ZoneTarget {
  id: number;
  version: number | undefined;
  name: string;
}

export interface ZoneChanges {
  deleted: ZoneTarget[];
  changed: (ZoneTarget & { body: Partial<ZoneDraft> })[];
  created: ZoneDraft[];
}

/** The changes that turn the stored zones into the drafts. */
export function zoneChanges(storedZones: readonly ZoneDraft[], drafts: readonly ZoneDraft[]): ZoneChanges {
  const changes: ZoneChanges = { deleted: [], changed: [], created: drafts.filter(({ id }) => id === undefined) };
  for (const before of storedZones) {
    const { id, version, name } = before;
    if (id === undefined) continue;
    const after = drafts.find((draft) => draft.id === id);
    const body = after ? changesBetween(before, after) : {};
    if (!after) changes.deleted.push({ id, version, name });
    else if (Object.keys(body).length > 0) changes.changed.push({ id, version, name, body });
  }
  return changes;
}

/** Drafts, and the stored zones on which they are based. */
export interface ZoneEdit extends ZoneDrafts {
  base: readonly ZoneDraft[];
}

/**
 * Rebases the edit on the currently stored zones: unedited zones follow them, and new ones are added. Zones that the
 * user changed or deleted keep their original version, so that saving detects changes by others.
 */
export function followStored({ base, zones, ...edit }: ZoneEdit, stored: readonly ZoneDraft[]): ZoneEdit {
  const find = (drafts: readonly ZoneDraft[], { id }: ZoneDraft) => drafts.find((draft) => draft.id === id);
  const isSame = (draft: ZoneDraft, other: ZoneDraft) => Object.keys(changesBetween(draft, other)).length === 0;
  const next: ZoneDraft[] = [];
  const nextBase: ZoneDraft[] = [];
  for (const zone of zones) {
    const [before, theirs] = zone.id === undefined ? [] : [find(base, zone), find(stored, zone)];
    const isUntouched = before !== undefined && isSame(before, zone);
    if (isUntouched && !theirs) continue;
    const isFollowing = theirs !== undefined && (isUntouched || isSame(theirs, zone));
    next.push(isFollowing ? { ...theirs, key: zone.key } : zone);
    const newBase = isFollowing ? theirs : (before ?? theirs);
    if (newBase) nextBase.push(newBase);
  }
  for (const before of base) if (!find(zones, before) && find(stored, before)) nextBase.push(before);
  const addedZones = stored.filter((zone) => !find(base, zone) && !find(zones, zone));
  return { ...edit, zones: [...next, ...addedZones], base: [...nextBase, ...addedZones] };
}

export const hasChanges = ({ deleted, changed, created }: ZoneChanges): boolean =>
  deleted.length + changed.length + created.length > 0;

const changesBetween = (before: ZoneDraft, after: ZoneDraft): Partial<ZoneDraft> =>
  Object.fromEntries(
    (['name', 'kind', 'every_days', 'polygon'] as const)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, after[field]]),
  );

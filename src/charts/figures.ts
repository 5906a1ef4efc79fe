/** Response of `GET /machines/{id}/statistics` and sums over it. Times in seconds. */
import type { StateName } from '../../schema/entities/machines';
import type { Period } from './period';

export type StateField = 'cleaning' | 'charging' | 'parked' | 'online' | 'offline';
export type ModeField = 'robotic' | 'manual' | 'teaching';

export interface Figures extends Period, Record<StateField | ModeField, number> {
  area_m2: number;
  reported_area_m2: number;
  distance_m: number;
  messages: number;
}

/** From the bottom of a bar to its top: cleaning, the machine's purpose, comes first. */
export const stateFields: readonly StateField[] = ['cleaning', 'charging', 'parked', 'online', 'offline'];
export const modeFields: readonly ModeField[] = ['robotic', 'manual', 'teaching'];

export const stateOf: Record<StateField, StateName> = {
  cleaning: 'Cleaning',
  charging: 'Charging',
  parked: 'Parked',
  online: 'Online',
  offline: 'Offline',
};

type SummedField = Exclude<keyof Figures, keyof Period>;

/** The sum of one column. */
export const totalOf = (rows: readonly Figures[], field: SummedField): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

/** Whether all these columns are zero. */
export const hasNoFigures = (rows: readonly Figures[], fields: readonly SummedField[]): boolean =>
  rows.every((row) => fields.every((field) => row[field] === 0));

/** Seconds in hours, the unit of the axis. */
export const toHours = (seconds: number): number => seconds / 3600;

/** Steps between axis marks, in hours: fractions of a day, or whole days. */
const hourSteps = [1, 2, 3, 6, 12, 24, 48, 72, 120, 168, 240];
const maxMarks = 5;

/** Axis marks in hours, from zero to about `maxHours`: 0, 6, 12, 18, 24 for a day, including one of 25 h. */
export function hourMarks(maxHours: number): number[] {
  const step =
    hourSteps.find((hours) => Math.ceil(maxHours / hours) <= maxMarks) ?? Math.ceil(maxHours / maxMarks / 168) * 168;
  return Array.from({ length: Math.max(1, Math.round(maxHours / step)) + 1 }, (_, index) => index * step);
}

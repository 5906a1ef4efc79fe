/**
 * Opening hours: spans per weekday, on public holidays and on exceptional days.
 *
 * Keys are in the order of PostgreSQL's `jsonb`, so that equal hours have equal JSON on both sides.
 */
import { isDay } from './isDay';
import { isObject } from './isObject';

/** Monday first, with the abbreviations of OpenStreetMap. */
export const weekdayCodes = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
export type Weekday = (typeof weekdayCodes)[number];

/** `HH:MM` in local time. `to` may be `24:00`; if it is before `from`, it is a time of the next day. */
export interface HoursSpan {
  to: string;
  from: string;
}

/** A period with other hours; both days are included. Without spans, the location is closed. */
export interface HoursException {
  to: string;
  from: string;
  spans: HoursSpan[];
}

export interface Hours {
  /** Text for people, for rules that spans cannot express. */
  note: string | null;
  /** The hours in the syntax of OpenStreetMap. Computed by the server, which ignores the value that is sent. */
  text: string;
  /** `null` if unknown. A day without spans is closed. */
  week: Record<Weekday, HoursSpan[]> | null;
  /** `null` if the weekday decides. */
  holidays: HoursSpan[] | null;
  /** If several of them include a day, the last one applies. */
  exceptions: HoursException[];
}

export const hoursLimits = { spans: 8, exceptions: 100, note: 1000 } as const;

const isWallTime = (value: unknown): boolean => typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);

/** Whether the value is a span with two different times. */
export const isSpan = (value: unknown): value is HoursSpan => {
  const { from, to } = (value ?? {}) as Partial<HoursSpan>;
  return isWallTime(from) && (isWallTime(to) || to === '24:00') && from !== to;
};

/** Returns the problem of a value of kind `hours`; `undefined` if it is valid. */
export function hoursProblem(value: unknown): 'hours' | 'hours_time' | 'hours_dates' | undefined {
  if (!isObject(value) || Object.keys(value).length === 0) return 'hours';
  const { note = null, week = null, holidays = null, exceptions = [], ...others } = value;
  if (Object.keys(others).some((name) => name !== 'text')) return 'hours';
  if (note !== null && (typeof note !== 'string' || note.length > hoursLimits.note)) return 'hours';
  if (week !== null && (!isObject(week) || Object.keys(week).some((name) => !weekdayCodes.includes(name as Weekday))))
    return 'hours';
  if (!Array.isArray(exceptions) || exceptions.length > hoursLimits.exceptions || !exceptions.every(isObject))
    return 'hours';
  const days = [...Object.values(week ?? {}), ...(holidays === null ? [] : [holidays])];
  const lists = [...days, ...exceptions.map(({ spans = [] }) => spans)];
  if (!lists.every((spans) => Array.isArray(spans) && spans.length <= hoursLimits.spans)) return 'hours';
  if (!(lists as unknown[][]).flat().every(isSpan)) return 'hours_time';
  const isPeriod = ({ from, to }: Record<string, unknown>) =>
    typeof from === 'string' && typeof to === 'string' && isDay(from) && isDay(to) && from <= to;
  return exceptions.every(isPeriod) ? undefined : 'hours_dates';
}

/** Returns the canonical form of valid hours: sorted, with every key, and `text` computed; `null` if they are empty. */
export function normalizeHours(input: Partial<Omit<Hours, 'text' | 'week'>> & { week?: object | null }): Hours | null {
  const week = input.week as Partial<Hours['week']> | undefined;
  const note = input.note?.replace(/\s+/g, ' ').trim() || null;
  const hours = {
    note,
    text: '',
    week: week
      ? (Object.fromEntries([...weekdayCodes].sort().map((day) => [day, sortSpans(week[day])])) as never)
      : null,
    holidays: input.holidays ? sortSpans(input.holidays) : null,
    exceptions: (input.exceptions ?? []).map(({ to, from, spans }) => ({ to, from, spans: sortSpans(spans) })),
  } satisfies Hours;
  hours.text = printHours(hours);
  return hours.text === '' ? null : hours;
}

const sortSpans = (spans: readonly HoursSpan[] = []): HoursSpan[] =>
  spans
    .map(({ to, from }) => ({ to, from }))
    .sort((a, b) => a.from.localeCompare(b.from) || a.to.localeCompare(b.to))
    .filter(({ from, to }, index, sorted) => sorted[index - 1]?.from !== from || sorted[index - 1]?.to !== to);

export const printSpans = (spans: readonly HoursSpan[]): string =>
  spans.map(({ from, to }) => `${from}-${to}`).join(',');

const isWholeDay = (spans: readonly HoursSpan[]) => printSpans(spans) === '00:00-24:00';

/** Groups days with equal spans; `runs` are ranges of weekdays, such as `[[0, 4]]` for Monday to Friday. */
export function groupDays(week: NonNullable<Hours['week']>): { runs: [first: number, last: number][]; day: Weekday }[] {
  const groups = new Map<string, { runs: [number, number][]; day: Weekday }>();
  for (const [index, day] of weekdayCodes.entries()) {
    const key = printSpans(week[day]);
    const group = groups.get(key) ?? { runs: [], day };
    groups.set(key, group);
    const last = group.runs.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else group.runs.push([index, index]);
  }
  return [...groups.values()];
}

/**
 * Prints hours in the syntax of OpenStreetMap, such as `Mo-Fr 06:00-22:00; Sa 08:00-14:00; PH off; 2026-12-24 off;
 * "ring twice"`.
 */
export function printHours({ week, holidays, exceptions, note }: Omit<Hours, 'text'>): string {
  const spansOrOff = (spans: readonly HoursSpan[]) => printSpans(spans) || 'off';
  return [
    ...(week ? printWeek(week) : []),
    ...(holidays ? [`PH ${spansOrOff(holidays)}`] : []),
    ...exceptions.map(({ from, to, spans }) => `${from === to ? from : `${from}-${to}`} ${spansOrOff(spans)}`),
    ...(note ? [`"${note.replaceAll('"', '""')}"`] : []),
  ].join('; ');
}

function printWeek(week: NonNullable<Hours['week']>): string[] {
  if (weekdayCodes.every((day) => isWholeDay(week[day]))) return ['24/7'];
  if (weekdayCodes.every((day) => week[day].length === 0)) return ['Mo-Su off'];
  const name = (index: number) => (weekdayCodes[index] as string).replace(/^./, (first) => first.toUpperCase());
  return groupDays(week)
    .filter(({ day }) => week[day].length > 0)
    .map(({ runs, day }) => {
      const days = runs.map(([first, last]) => (first === last ? name(first) : `${name(first)}-${name(last)}`));
      return `${days.join(',')} ${printSpans(week[day])}`;
    });
}

/** Text of stored hours. Old audit entries, written before hours were structured, contain the text itself. */
export const hoursText = (value: unknown): string =>
  typeof value === 'string' ? value : String((value as Partial<Hours> | null)?.text ?? '');

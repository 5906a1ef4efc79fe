/** Parses opening hours written in any of the six languages, or in the syntax of OpenStreetMap. */

import { type Hours, type HoursSpan, hoursProblem, normalizeHours, weekdayCodes } from './hours';
import { isDay } from './isDay';
import { isStorable } from './isStorable';
import { weekdaysByLanguage } from './weekdaysByLanguage';

const dayGroups: ReadonlyMap<string, readonly number[]> = new Map(
  (
    [
      ['daily täglich tlj quotidien codziennie dagligen giornaliero', [0, 1, 2, 3, 4, 5, 6]],
      ['weekdays vardagar', [0, 1, 2, 3, 4]],
      ['weekend weekends wochenende', [5, 6]],
    ] as const
  ).flatMap(([names, days]) => names.split(' ').map((name) => [name, days] as const)),
);
const closedWords = wordSet('off closed geschlossen zu fermé ferme chiuso zamknięte nieczynne stängt');
const holidayWords = wordSet('ph holidays feiertag feiertage feiertags fériés festivi święta helgdag helgdagar');
const fillerWords = wordSet('from von vom du de dal od från and und et e i och uhr h hrs kl godz');
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function wordSet(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

type Token =
  | { kind: 'days'; days: readonly number[] }
  | { kind: 'holidays' | 'closed' | 'always' | 'comma' | 'break' | 'filler' | 'word' }
  | { kind: 'dates'; from: string; to: string }
  | { kind: 'span'; span: HoursSpan };
type PositionedToken = Token & { start: number; end: number };

/** Parses opening hours. Text whose meaning is uncertain becomes the `note`. Returns `null` for blank text. */
export function parseHours(text: string): Hours | null {
  const notes: string[] = [];
  const unquoted = text.replace(/"((?:[^"]|"")*)"|\(([^()]*)\)/g, (_, quoted?: string, bracketed?: string) => {
    notes.push(quoted?.replaceAll('""', '"') ?? bracketed ?? '');
    return quoted === undefined ? ' ' : ' ; ';
  });
  const rules = parseRules(unquoted);
  const parsed: Omit<Hours, 'text' | 'note'> = { week: null, holidays: null, exceptions: [] };
  const uncertainTexts = rules.filter((rule) => !applyRule(parsed, rule)).map(({ text: rule }) => rule);
  const note = [...uncertainTexts, ...notes].filter((noteText) => noteText.trim() !== '').join('; ');
  const hours = normalizeHours({ ...parsed, note });
  // If the hours exceed the limits, the whole text becomes the note.
  return hours && hoursProblem(hours) ? normalizeHours({ note: text }) : hours;
}

/**
 * Returns the canonical form of hours sent as text or as an object. Returns invalid values unchanged; validation
 * rejects them.
 */
export function canonicalHours(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? parseHours(value) : value;
  return value === null || value === undefined || hoursProblem(value) ? value : normalizeHours(value as Hours);
}

interface Rule {
  days: Set<number>;
  holidays: boolean;
  dates: { from: string; to: string }[];
  spans: HoursSpan[];
  closed: boolean;
  /** Whether the rule adds to earlier rules for the same days instead of replacing them. */
  isAddition: boolean;
  isClear: boolean;
  text: string;
}

function parseRules(text: string): Rule[] {
  const rules: Rule[] = [];
  let rule: Rule | undefined;
  let start = 0;
  let previous: PositionedToken | undefined;
  const finish = (end: number) => {
    if (rule) rules.push({ ...rule, text: text.slice(start, end).replace(/[\s,;]+$/, '') });
    rule = undefined;
  };
  for (const token of tokensOf(text)) {
    const isDone = rule !== undefined && (rule.spans.length > 0 || rule.closed);
    const isSelector = token.kind === 'days' || token.kind === 'holidays' || token.kind === 'dates';
    if (token.kind === 'break') finish(token.start);
    else if (isDone && (isSelector || (token.kind === 'word' && previous?.kind === 'comma'))) finish(token.start);
    if (token.kind !== 'break' && token.kind !== 'comma') {
      if (!rule) {
        start = token.start;
        const isAddition = previous !== undefined && previous.kind !== 'break';
        rule = {
          days: new Set(),
          holidays: false,
          dates: [],
          spans: [],
          closed: false,
          isAddition,
          isClear: true,
          text: '',
        };
      }
      addToken(rule, token);
    }
    previous = token;
  }
  finish(text.length);
  return rules;
}

function addToken(rule: Rule, token: Token): void {
  if (token.kind === 'days') for (const day of token.days) rule.days.add(day);
  else if (token.kind === 'holidays') rule.holidays = true;
  else if (token.kind === 'dates') rule.dates.push({ from: token.from, to: token.to });
  else if (token.kind === 'span') rule.spans.push(token.span);
  else if (token.kind === 'closed') rule.closed = true;
  else if (token.kind === 'always') rule.spans.push({ from: '00:00', to: '24:00' });
  else if (token.kind === 'word') rule.isClear = false;
}

/** Applies a rule to the hours. Returns `false` if its meaning is uncertain. */
function applyRule(hours: Omit<Hours, 'text' | 'note'>, rule: Rule): boolean {
  const { days, holidays, dates, spans, closed, isAddition, isClear } = rule;
  if (!isClear || (spans.length === 0) !== closed || (dates.length > 0 && days.size > 0)) return false;
  for (const { from, to } of dates) {
    const earlier =
      isAddition && !closed ? hours.exceptions.find((day) => day.from === from && day.to === to) : undefined;
    if (earlier) earlier.spans = [...earlier.spans, ...spans];
    else hours.exceptions.push({ to, from, spans });
  }
  if (holidays) hours.holidays = isAddition && !closed ? [...(hours.holidays ?? []), ...spans] : spans;
  if (dates.length > 0 || (holidays && days.size === 0)) return true;
  const week =
    hours.week ?? (Object.fromEntries(weekdayCodes.map((day) => [day, []])) as never as NonNullable<Hours['week']>);
  for (const [index, day] of weekdayCodes.entries())
    if (days.size === 0 || days.has(index)) week[day] = isAddition && !closed ? [...week[day], ...spans] : spans;
  hours.week = week;
  return true;
}

const dash = '[-\u2010-\u2015\u2212]';
const untilPattern = `(?:${dash}|to|till|until|bis|à|au|al|alle|a|do)`;
const clockPattern = '(\\d{1,2})(?:[:.h](\\d{2}))?\\s*(am|pm|a\\.m\\.|p\\.m\\.)?\\s*(?:uhr\\b|h\\b|hrs\\b)?';
const dayPattern = '(\\d{4})-(\\d{2})-(\\d{2})|(\\d{1,2})\\.\\s?(\\d{1,2})\\.(\\d{4})';
const patterns = {
  always: /24\s*\/\s*7|24\s*h?\s*\/\s*24(?:\s*h)?|24\s?h\b/y,
  dates: new RegExp(`(?:${dayPattern})(?:\\s*(?:${dash}|to|bis|au|al|do|till)\\s*(?:${dayPattern}))?`, 'y'),
  monthDay: new RegExp(`(\\d{4}) (${months.join('|')})[a-z]* (\\d{1,2})(?:\\s*${dash}\\s*(\\d{1,2})(?![\\d:.]))?`, 'y'),
  span: new RegExp(`${clockPattern}\\s*${untilPattern}\\s*${clockPattern}(?![\\d:+])`, 'y'),
  word: /[\p{L}\p{M}]+\.?/uy,
  to: new RegExp(`\\s*${untilPattern}\\s*([\\p{L}\\p{M}]+)\\.?`, 'uy'),
  whitespace: /[\s:]+/y,
  comma: /[,&+]|\/(?!\d)/y,
  break: /;|\|\||\n/y,
  other: /[^\s,;]+/y,
};

function* tokensOf(source: string): Generator<PositionedToken> {
  const text = source.toLowerCase().replace(/\r/g, '\n');
  const dayOf = weekdaysIn(text);
  let offset = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  while (offset < text.length) {
    const start = offset;
    const token = ((): Token | undefined => {
      const consume = (match: RegExpExecArray) => {
        offset = start + match[0].length;
      };
      const whitespace = take(patterns.whitespace);
      if (whitespace) {
        consume(whitespace);
        if (!whitespace[0].includes('\n')) return undefined;
        return { kind: 'break' };
      }
      for (const kind of ['break', 'comma', 'always'] as const) {
        const match = take(patterns[kind]);
        if (!match) continue;
        consume(match);
        return { kind };
      }
      for (const [pattern, parse] of parsers) {
        const match = take(pattern);
        const parsed = match && parse(match);
        if (!match || !parsed) continue;
        consume(match);
        return parsed;
      }
      const word = take(patterns.word);
      const first = word ? (dayGroups.get(plainWord(word[0])) ?? dayOf(plainWord(word[0]))) : undefined;
      if (!word || first === undefined) {
        const other = word ?? (take(patterns.other) as RegExpExecArray);
        consume(other);
        return wordToken(plainWord(other[0]));
      }
      consume(word);
      if (typeof first !== 'number') return { kind: 'days', days: first };
      const range = take(patterns.to);
      const last = range && dayOf(range[1] as string);
      if (typeof last !== 'number') return { kind: 'days', days: [first] };
      offset += (range as RegExpExecArray)[0].length;
      return {
        kind: 'days',
        days: Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, step) => (first + step) % 7),
      };
    })();
    if (token) yield { ...token, start, end: offset };
  }
}

const plainWord = (word: string) => word.replace(/\.$/, '');

function wordToken(word: string): Token {
  if (closedWords.has(word)) return { kind: 'closed' };
  if (holidayWords.has(word)) return { kind: 'holidays' };
  return { kind: fillerWords.has(word) ? 'filler' : 'word' };
}

/**
 * Finds weekdays by name, in a single language if possible, because "So" is Sunday in German and Saturday in Polish.
 */
function weekdaysIn(text: string): (name: string) => number | undefined {
  const names = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((name) =>
    weekdaysByLanguage.some((days) => days.has(name)),
  );
  const language = weekdaysByLanguage.find((days) => names.every((name) => days.has(name) || isOtherWord(name)));
  if (language) return (name) => language.get(name);
  return (name) => {
    const days = new Set(weekdaysByLanguage.flatMap((dayOf) => dayOf.get(name) ?? []));
    return days.size === 1 ? [...days][0] : undefined;
  };
}
const isOtherWord = (name: string) =>
  fillerWords.has(name) || closedWords.has(name) || /^(?:to|do|till|on)$/.test(name);

const parsers: readonly [RegExp, (match: RegExpExecArray) => Token | undefined][] = [
  [
    patterns.dates,
    (match) => datesOf(dateOf(match.slice(1, 7)), match[7] || match[10] ? dateOf(match.slice(7)) : undefined),
  ],
  [
    patterns.monthDay,
    ([, year, month = '', first, last = first]) => {
      const isoDay = (date = '') => `${year}-${pad(months.indexOf(month) + 1)}-${pad(date)}`;
      return datesOf(isoDay(first), isoDay(last));
    },
  ],
  [
    patterns.span,
    ([, ...clockGroups]) => {
      const [from, to] = [timeOf(clockGroups.slice(0, 3)), timeOf(clockGroups.slice(3))];
      // "1-5pm" may begin at night or in the afternoon.
      if (clockGroups[5] && !clockGroups[2]) return undefined;
      return from && to && from !== '24:00' && from !== to ? { kind: 'span', span: { to, from } } : undefined;
    },
  ],
];

const pad = (digits: string | number) => String(digits).padStart(2, '0');

const dateOf = ([year, month, date, date2 = '', month2 = '', year2]: (string | undefined)[]): string =>
  year ? `${year}-${month}-${date}` : `${year2}-${pad(month2)}-${pad(date2)}`;

const datesOf = (from: string, to = from): Token | undefined =>
  isDay(from) && isDay(to) && from <= to ? { kind: 'dates', from, to } : undefined;

/** Returns `HH:MM`, at most `24:00`. Hours from 25 to 48 are those of the next day. */
function timeOf([hours = '', minutes = '00', meridiem]: (string | undefined)[]): string | undefined {
  const hour = meridiem ? (Number(hours) % 12) + (meridiem.startsWith('p') ? 12 : 0) : Number(hours);
  if ((meridiem && (Number(hours) > 12 || Number(hours) < 1)) || hour > 48 || Number(minutes) > 59) return undefined;
  if (hour === 24 && minutes === '00') return '24:00';
  return `${pad(hour % 24)}:${minutes}`;
}

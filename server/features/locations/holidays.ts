/** Public holidays by country, of the package date-holidays: nationwide ones, as far as it knows the country. */
import type Holidays from 'date-holidays';
import type { Language } from '../../../schema/shared/languages';
import { languageCodes } from '../../../schema/shared/languages';
import { shiftDay } from '../../../schema/shared/openSpans';

/** Names by day, of one country. */
export type HolidayNames = ReadonlyMap<string, string>;

type Calendar = InstanceType<typeof Holidays>;
const calendars = new Map<string, Calendar | undefined>();
const years = new Map<string, HolidayNames>();
const maxCached = 500;

/** Public holidays of the years of a period, named in a language; `undefined` for a country that is not known. */
export async function holidaysOf(
  country: string | undefined,
  { from, to }: { from: string; to: string },
  language: Language,
): Promise<HolidayNames | undefined> {
  const calendar = country === undefined ? undefined : await calendarOf(country);
  if (!calendar) return undefined;
  const names = new Map<string, string>();
  const [first, last] = [Math.max(Number(from.slice(0, 4)), 1970), Math.min(Number(to.slice(0, 4)), 2100)];
  for (let year = first; year <= last; year += 1)
    for (const [day, name] of yearOf(calendar, { country: country as string, year, language })) names.set(day, name);
  return names;
}

/** Loaded with the first question: its data take some 20 MB of memory. */
async function calendarOf(country: string): Promise<Calendar | undefined> {
  if (calendars.has(country)) return calendars.get(country);
  const { default: Holidays } = await import('date-holidays');
  const calendar = new Holidays(country, { types: ['public'] });
  const known = country in calendar.getCountries() ? calendar : undefined;
  calendars.set(country, known);
  return known;
}

interface YearRequest {
  country: string;
  year: number;
  language: Language;
}

function yearOf(calendar: Calendar, { country, year, language }: YearRequest): HolidayNames {
  const key = `${country} ${year} ${language}`;
  const known = years.get(key);
  if (known) return known;
  const names = new Map<string, string>();
  for (const { date, start, end, name } of calendar.getHolidays(year, language)) {
    const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
    for (let nth = 0; nth < days; nth += 1) names.set(shiftDay(date.slice(0, 10), nth), name);
  }
  if (years.size >= maxCached) years.clear();
  years.set(key, names);
  return names;
}

/** The ISO code of a country that administrators named in one of our languages, or by its code. */
export const countryCodeOf = (name: string): string | undefined => codes().get(name.trim().toLowerCase());

let known: ReadonlyMap<string, string> | undefined;

function codes(): ReadonlyMap<string, string> {
  if (known) return known;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  const named = languageCodes.flatMap((language) => {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return all.flatMap((code): [string, string][] => {
      const name = display.of(code);
      // A former code, such as DD, has the name of its successor.
      return name && new Intl.Locale(`und-${code}`).region === code ? [[name.toLowerCase(), code]] : [];
    });
  });
  known = new Map([...named, ...all.map((code): [string, string] => [code.toLowerCase(), code])]);
  return known;
}

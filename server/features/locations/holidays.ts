/**
 * Public holidays from the package date-holidays. Codes name a country (`DE`), a region of it (`DE-BY`) or a part of
 * a region (`DE-BY-A`).
 */
import type Holidays from 'date-holidays';
import type { Language } from '../../../schema/shared/languages';
import { languageCodes } from '../../../schema/shared/languages';
import { shiftDay } from '../../../schema/shared/openSpans';
import { regionCodes } from '../../../schema/shared/regionCodes';

/** Names of holidays by day (`YYYY-MM-DD`). */
export type HolidayNames = ReadonlyMap<string, string>;

type Calendar = InstanceType<typeof Holidays>;
const calendars = new Map<string, Calendar | undefined>();
const holidaysByYear = new Map<string, HolidayNames>();
const maxCached = 500;

/**
 * Loads the public holidays of all years of a period, from 1970 to 2100, with names in a language. `undefined` for an
 * unknown country.
 */
export async function loadHolidays(
  code: string | undefined,
  { from, to }: { from: string; to: string },
  language: Language,
): Promise<HolidayNames | undefined> {
  const calendar = code === undefined ? undefined : await loadCalendar(code);
  if (!calendar) return undefined;
  const names = new Map<string, string>();
  const [firstYear, lastYear] = [Math.max(Number(from.slice(0, 4)), 1970), Math.min(Number(to.slice(0, 4)), 2100)];
  for (let year = firstYear; year <= lastYear; year += 1)
    for (const [day, name] of holidaysOfYear(calendar, { code: code as string, year, language })) names.set(day, name);
  return names;
}

/** Loads the package on first use, because its data take some 20 MB of memory. */
async function loadCalendar(code: string): Promise<Calendar | undefined> {
  if (calendars.has(code)) return calendars.get(code);
  const { default: Holidays } = await import('date-holidays');
  const [country = '', state = '', region = ''] = code.split('-');
  const calendar = new Holidays(country, state, region, { types: ['public'] });
  const supportedCalendar = country in calendar.getCountries() ? calendar : undefined;
  calendars.set(code, supportedCalendar);
  return supportedCalendar;
}

export interface HolidayRegion {
  code: string;
  name: string;
}

/** Loads the regions of a country that have holidays of their own, and their parts, in order of their names. */
export async function loadHolidayRegions(country: string, language: Language): Promise<HolidayRegion[]> {
  const calendar = await loadCalendar(country);
  const states = Object.entries(calendar?.getStates(country, language) ?? {});
  const regions = states.flatMap(([state, name]) => [
    { code: `${country}-${state}`, name },
    ...Object.entries(calendar?.getRegions(country, state, language) ?? {}).map(([part, partName]) => ({
      code: `${country}-${state}-${part}`,
      name: `${name} – ${partName}`,
    })),
  ]);
  const { compare } = new Intl.Collator(language);
  return regions.sort((a, b) => compare(a.name, b.name));
}

/** Whether a region is known. The package would treat an unknown one as the whole country. */
export async function isHolidayRegion(code: string): Promise<boolean> {
  const regions = await loadHolidayRegions(code.slice(0, 2), 'en');
  return regions.some((region) => region.code === code);
}

/**
 * Returns the code of a location's holidays: that of its region or, if the region is unknown or in another country,
 * that of its country. `undefined` for an unknown country.
 */
export async function resolveHolidayCode(country: string | null, region: string | null): Promise<string | undefined> {
  const code = country === null ? undefined : countryCodeOf(country);
  const isRegional = region !== null && region.slice(0, 2) === code && (await isHolidayRegion(region));
  return isRegional ? region : code;
}

interface YearRequest {
  code: string;
  year: number;
  language: Language;
}

function holidaysOfYear(calendar: Calendar, { code, year, language }: YearRequest): HolidayNames {
  const key = `${code} ${year} ${language}`;
  const cached = holidaysByYear.get(key);
  if (cached) return cached;
  const names = new Map<string, string>();
  for (const { date, start, end, name } of calendar.getHolidays(year, language)) {
    const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
    for (let dayIndex = 0; dayIndex < days; dayIndex += 1) names.set(shiftDay(date.slice(0, 10), dayIndex), name);
  }
  if (holidaysByYear.size >= maxCached) holidaysByYear.clear();
  holidaysByYear.set(key, names);
  return names;
}

/** Returns the ISO 3166 code of a country, by its name in one of our languages or by the code itself. */
export const countryCodeOf = (name: string): string | undefined => loadCodesByName().get(name.trim().toLowerCase());

let codesByName: ReadonlyMap<string, string> | undefined;

function loadCodesByName(): ReadonlyMap<string, string> {
  if (codesByName) return codesByName;
  const namedCodes = languageCodes.flatMap((language) => {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return regionCodes.flatMap((code): [string, string][] => {
      const name = display.of(code);
      // A former code, such as DD, has the name of its successor.
      return name && new Intl.Locale(`und-${code}`).region === code ? [[name.toLowerCase(), code]] : [];
    });
  });
  codesByName = new Map([...namedCodes, ...regionCodes.map((code): [string, string] => [code.toLowerCase(), code])]);
  return codesByName;
}

/** Names of countries and languages in any language, from the browser's tables. */
import type { Language } from '../../schema/shared/languages';
import { regionCodes } from '../../schema/shared/regionCodes';

/** Country codes by English name, such as `Germany` to `DE`. Filled on first use. */
let codes: ReadonlyMap<string, string> | undefined;

/** Translates an English country name: "Germany" is "Deutschland" in German. Returns unknown names unchanged. */
export function countryName(englishName: string, language: Language): string {
  codes ??= buildCodes();
  const code = codes.get(englishName);
  return (code && namesIn(language, 'region').of(code)) || englishName;
}

/** The name of a language in the user's language: `de` is "German" in English. Returns unknown codes unchanged. */
export function languageName(code: string, language: Language): string {
  try {
    const name = namesIn(language, 'language').of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return code;
  }
}

/** The name of a language in that language: `de` is "Deutsch". */
export const ownName = (code: Language): string => languageName(code, code);

const displayNames = new Map<string, Intl.DisplayNames>();
function namesIn(language: Language, type: 'region' | 'language'): Intl.DisplayNames {
  const key = `${type} ${language}`;
  const names = displayNames.get(key) ?? new Intl.DisplayNames(language, { type });
  displayNames.set(key, names);
  return names;
}

function buildCodes(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  // The first code of a name wins: withdrawn codes (`DD`, `SU`) have their own names, and aliases (`UK`) come later.
  const pairs = regionCodes.flatMap((code) => {
    const name = english.of(code);
    return name ? [[name, code] as const] : [];
  });
  return new Map(pairs.reverse());
}

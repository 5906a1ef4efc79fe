/** Names of countries and languages in any language, from the browser's own tables. */
import type { Language } from '../../schema/shared/languages';

/** The code of every country whose English name is known: `Germany` to `DE`. Filled on first use. */
let codes: ReadonlyMap<string, string> | undefined;

/**
 * "Germany" in the reader's language: "Deutschland". A name that is no country's English one is given back as it is.
 */
export function countryName(englishName: string, language: Language): string {
  codes ??= readCodes();
  const code = codes.get(englishName);
  return (code && namesIn(language, 'region').of(code)) || englishName;
}

/**
 * The name of a language in the reader's language: `de` is "German" in English. An unknown code is given back as it is.
 */
export function languageName(code: string, language: Language): string {
  try {
    const name = namesIn(language, 'language').of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return code;
  }
}

/** How speakers call their own language: `de` is "Deutsch". */
export const ownName = (code: Language): string => languageName(code, code);

const kept = new Map<string, Intl.DisplayNames>();
function namesIn(language: Language, type: 'region' | 'language'): Intl.DisplayNames {
  const key = `${type} ${language}`;
  const names = kept.get(key) ?? new Intl.DisplayNames(language, { type });
  kept.set(key, names);
  return names;
}

function readCodes(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  // The first code wins: names of withdrawn codes (`DD`, `SU`) are none of today's countries' names, aliases (`UK`)
  // come after.
  const pairs = all.flatMap((code) => {
    const name = english.of(code);
    return name ? [[name, code] as const] : [];
  });
  return new Map(pairs.reverse());
}

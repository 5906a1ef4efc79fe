/**
 * React-admin's own texts (`ra.*`). If npm has a package for a language, `reactAdmin.json` holds what the package lacks
 * or words differently from the rest of the interface; otherwise it holds all texts.
 */
import type { TranslationMessages } from 'react-admin';
import type { Language } from '../../schema/shared/languages';

const messages: Record<Language, () => Promise<TranslationMessages>> = {
  en: async () => (await import('ra-language-english')).default,
  de: loadGerman,
  sv: async () => (await import('../../locales/sv/reactAdmin.json')).default,
  pl: async () => (await import('../../locales/pl/reactAdmin.json')).default,
  fr: loadFrench,
  it: async () => (await import('../../locales/it/reactAdmin.json')).default,
};

export const loadReactAdmin = (language: Language): Promise<TranslationMessages> => messages[language]();

async function loadGerman() {
  const [{ default: german }, { default: overrides }] = await Promise.all([
    import('ra-language-german'),
    import('../../locales/de/reactAdmin.json'),
  ]);
  // The package is older than react-admin's current texts, where this key is `previous`.
  const { prev: _, ...navigation } = german.ra.navigation;
  return merge({ ra: { ...german.ra, navigation } }, overrides);
}

async function loadFrench() {
  const [{ default: french }, { default: overrides }] = await Promise.all([
    import('ra-language-french'),
    import('../../locales/fr/reactAdmin.json'),
  ]);
  return merge(frenchSpacing(french), overrides);
}

/**
 * Merges `overrides` into `base`, key by key. The result has the keys of both, so that the compiler reports a key that
 * neither has.
 */
function merge<Base extends object, Own extends object>(base: Base, overrides: Own): Base & Own {
  const mergedTexts = new Map<string, unknown>(Object.entries(base));
  for (const [key, text] of Object.entries(overrides)) {
    const baseText = mergedTexts.get(key);
    mergedTexts.set(
      key,
      typeof text === 'object' && typeof baseText === 'object' && baseText ? merge(baseText, text) : text,
    );
  }
  return Object.fromEntries(mergedTexts) as Base & Own;
}

/**
 * Applies French typography: no-break spaces before punctuation, so that no line begins with a question mark, and
 * curved apostrophes.
 */
function frenchSpacing<T>(texts: T): T {
  if (typeof texts === 'string') {
    return texts
      .replaceAll("'", '’')
      .replaceAll('« ', '«\u00a0')
      .replace(/ (?=[?!:;»])/g, '\u00a0') as T;
  }
  return Object.fromEntries(
    Object.entries(texts as Record<string, unknown>).map(([key, text]) => [key, frenchSpacing(text)]),
  ) as T;
}

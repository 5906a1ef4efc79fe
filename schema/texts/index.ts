/** Where the texts of each language are: loaded one by one, so that a browser fetches only the one it shows. */
import type { Language } from '../shared/languages';
import type { Texts } from './types';

const files: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  sv: async () => (await import('./sv')).sv,
  pl: async () => (await import('./pl')).pl,
  fr: async () => (await import('./fr')).fr,
  it: async () => (await import('./it')).it,
};

/** The texts of one language. Rejects when its file cannot be fetched. */
export const loadTexts = (language: Language): Promise<Texts> => files[language]();

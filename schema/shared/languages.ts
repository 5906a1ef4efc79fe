/**
 * Languages of the interface by ISO 639-1 code: their own name, and a locale whose formats suit the business (amounts
 * in EUR, 24-hour clock, European English).
 */
export const interfaceLanguages = {
  en: { name: 'English', locale: 'en-GB' },
  de: { name: 'Deutsch', locale: 'de-DE' },
  sv: { name: 'Svenska', locale: 'sv-SE' },
  pl: { name: 'Polski', locale: 'pl-PL' },
  fr: { name: 'Français', locale: 'fr-FR' },
  it: { name: 'Italiano', locale: 'it-IT' },
} as const;

export type Language = keyof typeof interfaceLanguages;

export const languageCodes = Object.keys(interfaceLanguages) as readonly Language[];

export const isLanguage = (code: unknown): code is Language => (languageCodes as readonly unknown[]).includes(code);
/** Returns the locale of a language for `Intl`: `de-DE` for `de`. */
export const localeOf = (language: Language): string => interfaceLanguages[language].locale;

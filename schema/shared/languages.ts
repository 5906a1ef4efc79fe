/**
 * The languages of the interface by ISO 639-1 code: their own name, and the locale whose formats fit the business
 * (amounts in EUR, 24 hours, English as in Europe).
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
/** `de` is `de-DE`, as `Intl` takes it. */
export const localeOf = (language: Language): string => interfaceLanguages[language].locale;

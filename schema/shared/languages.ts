/** The six languages of the interface, by their two-letter codes (ISO 639-1). */
export const languageCodes = ['en', 'de', 'sv', 'pl', 'fr', 'it'] as const;

export type Language = (typeof languageCodes)[number];

export const isLanguage = (code: unknown): code is Language => (languageCodes as readonly unknown[]).includes(code);

import { useTranslate } from 'ra-core';

/**
 * Returns a function that puts a number of rows into a text, which selects its plural form: "1,500 results found". The
 * i18n provider prints the number with the separators of the language.
 */
export function useCountText(): (key: string, count: number) => string {
  const translate = useTranslate();
  return (key, count) => translate(key, { smart_count: count });
}

/** Sentences that contain a number of rows. */
import { useTranslate } from 'ra-core';
import { formatNumber } from '../../i18n/format';
import { useLanguage } from './useLanguage';

/**
 * Returns a function that selects the plural form and prints the number with the separators of the language: "1,500
 * results found".
 */
export function useCountText(): (key: string, count: number, values?: Record<string, string>) => string {
  const translate = useTranslate();
  const language = useLanguage();
  return (key, count, values) =>
    translate(key, { ...values, smart_count: count }).replace(String(count), formatNumber(count, { language }));
}

/** The current language of the page. */
import { useLocale } from 'ra-core';
import { isLanguage, type Language } from '../../../schema/shared/languages';

export function useLanguage(): Language {
  const locale = useLocale();
  return isLanguage(locale) ? locale : 'en';
}

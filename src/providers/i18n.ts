/** react-admin's translations, each language loaded when it is first chosen. */
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider, TranslationMessages } from 'react-admin';
import { isLanguage, type Language, languageCodes } from '../../schema/texts/types';
import { numbersIn } from '../i18n/format';
import { ownName } from '../i18n/names';
import { session } from './store';

interface Languages {
  /** The language of the first page, with its texts. */
  language: Language;
  messages: TranslationMessages;
  load(language: Language): Promise<TranslationMessages>;
}

/** The provider for `Admin`. Of two changes in quick succession the last one asked for wins, whichever texts arrive first. */
export function createI18nProvider({ language, messages, load }: Languages): I18nProvider {
  const loaded = new Map<string, TranslationMessages>([[language, messages]]);
  const locales = languageCodes.map((locale) => ({ locale, name: ownName(locale) }));
  const inner: I18nProvider = polyglotI18nProvider((locale) => loaded.get(locale) ?? messages, language, locales, {
    // Literal text, such as a message of the server, passes as it is.
    allowMissing: true,
    replace: numbersIn(() => inner.getLocale() as Language),
  });
  let wanted: string = language;
  document.documentElement.lang = language;

  return {
    ...inner,
    async changeLocale(locale) {
      if (!isLanguage(locale)) return;
      wanted = locale;
      if (!loaded.has(locale)) loaded.set(locale, await load(locale));
      if (wanted !== locale) return;
      await inner.changeLocale(locale);
      document.documentElement.lang = locale;
      session.set({ lang: locale });
    },
  };
}

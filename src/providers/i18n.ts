/** react-admin's i18n provider. Loads a language when it is first chosen. */
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider } from 'react-admin';
import { isLanguage, type Language, languageCodes } from '../../schema/shared/languages';
import { numbersIn } from '../i18n/format';
import { loadMessages, type Messages } from '../i18n/loadMessages';
import { languageName, ownName } from '../i18n/names';
import { session } from './session';

const loadedMessages = new Map<string, Messages>();

/** Loads the texts of a language once. Rejects if they cannot be fetched. */
export async function loadLanguage(language: Language): Promise<Messages> {
  const messages = loadedMessages.get(language) ?? (await loadMessages(language));
  loadedMessages.set(language, messages);
  return messages;
}

/** Notifies subscribers of language changes, so that pages need not remount, which would lose typed text. */
export interface Languages extends I18nProvider {
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
}

/**
 * Creates the provider for `Admin` with the initial `language`. Of two quick changes the last one wins, even if its
 * texts arrive first.
 */
export async function createI18nProvider(language: Language): Promise<Languages> {
  const first = await loadLanguage(language);
  const locales = languageCodes.map((locale) => ({ locale, name: ownName(locale) }));
  // Passes literal text, such as a server message, through unchanged.
  const polyglotProvider: I18nProvider = polyglotI18nProvider(
    (locale) => loadedMessages.get(locale) ?? first,
    language,
    locales,
    {
      allowMissing: true,
      replace: numbersIn(() => polyglotProvider.getLocale() as Language),
    },
  );
  let requestedLanguage: string = language;
  const listeners = new Set<() => void>();
  document.documentElement.lang = language;

  return {
    ...polyglotProvider,
    async changeLocale(locale) {
      if (!isLanguage(locale)) return;
      requestedLanguage = locale;
      await loadLanguage(locale);
      if (requestedLanguage !== locale) return;
      await polyglotProvider.changeLocale(locale);
      document.documentElement.lang = locale;
      session.set({ lang: locale });
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * The interface language for a language of the user token, `{ name: 'German' }`; `undefined` for languages that the
 * interface lacks.
 */
export const languageOfRow = ({ name }: { name: string }): Language | undefined =>
  languageCodes.find((code) => name === ownName(code) || name === languageName(code, 'en'));

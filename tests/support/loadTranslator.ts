/** Texts of the interface by key and language as pages show them, and detection of untranslated texts. */
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { Language } from '../../schema/shared/languages';
import { numbersIn } from '../../src/i18n/format';
import { loadMessages } from '../../src/i18n/loadMessages';

export type Translate = (key: string, options?: Record<string, unknown>) => string;

export async function loadTranslator(language: Language): Promise<Translate> {
  const messages = await loadMessages(language);
  const { translate: print } = polyglotI18nProvider(() => messages, language, [], {
    allowMissing: true,
    replace: numbersIn(() => language),
  });
  return (key, options) => {
    const text = print(key, options);
    if (text === key) throw new Error(`There is no text ${key}.`);
    return text;
  };
}

/** Finds lines that are a key instead of its text, or English text in another language. */
export async function findUntranslatedLines(text: string, language: Language): Promise<string[]> {
  const [english, ownTexts] = await Promise.all([loadTexts('en'), loadTexts(language)]);
  const groups = Object.keys(await loadMessages('en')).join('|');
  const isKey = new RegExp(`^(?:${groups})(?:\\.[a-z_]+)+$`);
  const isForeign = (line: string) => language !== 'en' && english.has(line) && !ownTexts.has(line);
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => isKey.test(line) || isForeign(line));
}

const dictionaries = new Map<Language, Promise<ReadonlySet<string>>>();
function loadTexts(language: Language): Promise<ReadonlySet<string>> {
  const texts =
    dictionaries.get(language) ?? loadMessages(language).then((messages) => new Set(collectTexts(messages)));
  dictionaries.set(language, texts);
  return texts;
}

const collectTexts = (texts: object): string[] =>
  Object.values(texts).flatMap((text) =>
    typeof text === 'string'
      ? text.split('||||').map((form) => form.trim())
      : typeof text === 'object'
        ? collectTexts(text)
        : [],
  );

/** Compares a language's texts with the English ones and reports problems as sentences for translators. */
import Polyglot from 'node-polyglot';
import type { Language } from '../../schema/shared/languages';

/** Flattens texts to keys with dots: `{ 'frame.menu': 'Menu' }`. */
export function flattenTexts(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]): [string, string][] => {
    const textPath = path ? `${path}.${key}` : key;
    return typeof text === 'string' ? [[textPath, text]] : flattenTexts(text as object, textPath);
  });
}

/** Number of plural forms that node-polyglot distinguishes for a language. */
function pluralForms(language: Language): number {
  const phrase = ['0', '1', '2', '3', '4', '5'].join('||||');
  const pickedTexts = Array.from({ length: 200 }, (_, count) =>
    Polyglot.transformPhrase(phrase, { smart_count: count }, language),
  );
  return new Set(pickedTexts).size;
}

const variables = (text: string) => [...new Set(text.match(/%\{\w+\}/g))];
const formsIn = (text: string) => text.split('||||').length;

/**
 * Problems of a language's texts: keys that are missing, superfluous or out of order, and texts that are blank or
 * differ in placeholders or the number of plural forms. `file` prefixes the sentences: `de/ui.json`.
 */
export function findTextProblems(file: string, language: Language, texts: object, english: object): string[] {
  const ownTexts = new Map(flattenTexts(texts));
  const englishTexts = new Map(flattenTexts(english));
  const forms = pluralForms(language);
  const problems = [
    ...[...englishTexts.keys()].filter((key) => !ownTexts.has(key)).map((key) => `${key} is missing`),
    ...[...ownTexts.keys()].filter((key) => !englishTexts.has(key)).map((key) => `${key} is not in English`),
    ...[...ownTexts].flatMap(([key, text]) =>
      textFaults(text, englishTexts.get(key), forms).map((fault) => `${key} ${fault}`),
    ),
  ];
  const sharedKeys = [...englishTexts.keys()].filter((key) => ownTexts.has(key));
  const misplacedKey = [...ownTexts.keys()]
    .filter((key) => englishTexts.has(key))
    .find((key, index) => key !== sharedKeys[index]);
  if (misplacedKey) problems.push(`${misplacedKey} is out of order`);
  return problems.map((problem) => `${file}: ${problem}`);
}

function textFaults(text: string, english: string | undefined, forms: number): string[] {
  if (english === undefined) return [];
  const expectedForms = formsIn(english) === 1 ? 1 : forms;
  return [
    // React-admin's text for "neither yes nor no" is a space, so blank is allowed if the English text is blank.
    ...(english.trim() && text.split('||||').some((form) => form.trim() === '') ? ['is blank'] : []),
    ...variables(english).flatMap((name) => (variables(text).includes(name) ? [] : [`lacks ${name}`])),
    ...variables(text).flatMap((name) => (variables(english).includes(name) ? [] : [`has ${name}, English has not`])),
    ...(formsIn(text) === expectedForms
      ? []
      : [`has ${formsIn(text)} plural forms, the language needs ${expectedForms}`]),
  ];
}

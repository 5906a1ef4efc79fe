import { readdirSync, readFileSync } from 'node:fs';
import Polyglot from 'node-polyglot';
import { beforeAll, describe, expect, test } from 'vitest';
import { entities } from '../../schema/index';
import { type Language, languageCodes } from '../../schema/shared/languages';
import { ApiError } from '../../server/context/errors';
import { texts } from '../../server/i18n/messages';
import { mailTexts } from '../../server/mail/renderMail';
import { formatPercent } from '../../src/i18n/format';
import { loadMessages } from '../../src/i18n/loadMessages';
import { loadReactAdmin } from '../../src/i18n/loadReactAdmin';
import { findTextProblems, flattenTexts } from '../support/findTextProblems';
import { readSources, root } from '../support/sources';

/** All texts of a language by key: interface, declarations, responses of the API, mails. */
const textsByLanguage = new Map<Language, ReadonlyMap<string, string>>();

beforeAll(async () => {
  for (const language of languageCodes) {
    const allTexts = { ...(await loadMessages(language)), api: texts[language].api, mails: mailTexts[language] };
    textsByLanguage.set(language, new Map(flattenTexts(allTexts)));
  }
});

const textsOf = (language: Language) => textsByLanguage.get(language) as ReadonlyMap<string, string>;
const otherLanguages = languageCodes.filter((code) => code !== 'en');

/** English texts with their translations. */
const pairs = (language: Language) =>
  [...textsOf('en')].map(([key, english]) => ({ key, english, text: textsOf(language).get(key) ?? '' }));
const countForms = (text: string) => text.split('||||').length;
const describePair = ({ key, english, text }: { key: string; english: string; text: string }) =>
  `${key}: ${english} → ${text}`;

/**
 * Texts that a language shares with English, by language. A text may occur under several keys. `every`: symbols and
 * names that belong to no language.
 */
const sameAsEnglish: Record<Exclude<Language, 'en'> | 'every', readonly string[]> = {
  every: [
    'Gausium',
    'Pudu',
    'CRM',
    'Excel',
    'HTTP',
    'MQTT',
    'SMS',
    'Sweepline',
    'h',
    'min',
    's',
    'm',
    'm²',
    'l',
    'Wh',
    'm²/h',
    'Webhook',
  ],
  de: [
    'Plan',
    'Zone',
    ...[
      'Code',
      'Details',
      'Dummy',
      'Import',
      'Information',
      'Live',
      'Logo',
      'Name',
      'Navigation',
      'Offline',
      'Online',
      'Partner',
      'Person',
      'Position',
      'Start',
    ],
    ...['Status', 'Tracker', 'Version'],
  ],
  sv: [
    'Plan',
    'Rotation',
    ...[
      'Administration',
      'Data',
      'Import',
      'Information',
      'Live',
      'Offline',
      'Online',
      'Partner',
      'Period',
      'Person',
      'Position',
      'Service',
      'Session',
      'Start',
    ],
    ...['Status', 'Version'],
  ],
  pl: ['Plan', 'E-mail', 'Import', 'Logo', 'Menu', 'Offline', 'Online', 'Operator', 'Partner', 'Status'],
  fr: [
    'Secret',
    'Plan',
    'Rotation',
    'Source',
    'Interruptions',
    'Zone',
    'Zones',
    ...[
      'Actions',
      'Active',
      'Administration',
      'Client',
      'Clients',
      'Code',
      'Condition',
      'Message',
      'Contact',
      'Date',
      'Distance',
      'Document',
      'Documentation',
      'Documents',
      'E-mail',
      'Import',
      'Imports',
      'Information',
    ],
    ...[
      'Inspection',
      'Invitation',
      'Invitations',
      'Latitude',
      'Logo',
      'Longitude',
      'Machine',
      'Machines',
      'Menu',
      'Messages',
      'Mode',
      'Navigation',
      'Note',
    ],
    ...[
      'Notifications',
      'Page',
      'Pages',
      'Pause',
      'Photo',
      'Position',
      'Sections',
      'Session',
      'Site',
      'Sites',
      'Total',
    ],
    ...['Type', 'Version'],
  ],
  it: ['Account', 'E-mail', 'File', 'Logo', 'Menu', 'No', 'Offline', 'Online', 'Partner', 'Password'],
};

/** The words of a text without numbers, variables and plural separators. */
const words = (text: string) => text.split(/%\{\w+\}|\|\|\|\|/).flatMap((piece) => piece.trim() || []);

const files = ['entities', 'api', 'ui', 'mail'] as const;
const readTexts = (language: Language, file: (typeof files)[number]): object =>
  JSON.parse(readFileSync(`${root}/locales/${language}/${file}.json`, 'utf8'));

describe('text files', () => {
  test.each(otherLanguages)('of %s have the keys, placeholders and plural forms of the English ones', (language) => {
    const problems = files.flatMap((file) =>
      findTextProblems(`${language}/${file}.json`, language, readTexts(language, file), readTexts('en', file)),
    );
    expect(problems).toEqual([]);
  });

  test.each(
    otherLanguages,
  )('of %s have every text of react-admin, together with the third-party package', async (language) => {
    const [ownTexts, english] = await Promise.all([loadReactAdmin(language), loadReactAdmin('en')]);
    // Its sentences may omit names, whose gender and case are unknown; the packages have their own order.
    const problems = findTextProblems(`${language}/reactAdmin.json`, language, ownTexts, english).filter(
      (problem) => !/ lacks %\{(name|recordRepresentation)\}$| is out of order$/.test(problem),
    );
    expect(problems).toEqual([]);
  });

  test('have their problems reported with language, file and key', () => {
    const english = {
      menu: 'Menu',
      count: '%{smart_count} row |||| %{smart_count} rows',
      hello: 'Hello %{name}',
      end: 'End',
    };
    const polish = {
      count: '%{smart_count} wiersz |||| %{smart_count} wiersze',
      menu: ' ',
      hello: 'Witaj %{imie}',
      dno: 'x',
    };
    expect(findTextProblems('pl/ui.json', 'pl', polish, english)).toEqual([
      'pl/ui.json: end is missing',
      'pl/ui.json: dno is not in English',
      'pl/ui.json: count has 2 plural forms, the language needs 3',
      'pl/ui.json: menu is blank',
      'pl/ui.json: hello lacks %{name}',
      'pl/ui.json: hello has %{imie}, English has not',
      'pl/ui.json: count is out of order',
    ]);
  });
});

describe.each(otherLanguages)('texts in %s', (language) => {
  test('none is left in English', () => {
    const allowedWords = [...sameAsEnglish.every, ...sameAsEnglish[language as Exclude<Language, 'en'>]].map((word) =>
      word.toLowerCase(),
    );
    const untranslatedPairs = pairs(language).filter(
      ({ english, text }) =>
        english === text &&
        words(text).some((word) => /\p{L}/u.test(word) && !allowedWords.includes(word.toLowerCase())),
    );
    expect(untranslatedPairs.map(describePair)).toEqual([]);
  });

  test('every exception for English texts is needed', () => {
    const neededForms = pairs(language)
      .filter(({ english, text }) => english === text)
      .flatMap(({ text }) => words(text).map((word) => word.toLowerCase()));
    expect(
      sameAsEnglish[language as Exclude<Language, 'en'>].filter((word) => !neededForms.includes(word.toLowerCase())),
    ).toEqual([]);
  });

  test('sentences end like the English ones', () => {
    const endMark = (text: string) => /[.?!:…]$/.exec(text.trim().replace(/\.\.\.$/, '…'))?.[0];
    expect(
      pairs(language)
        .filter(({ english, text }) => endMark(english) !== endMark(text))
        .map(describePair),
    ).toEqual([]);
  });

  test('labels and buttons are short', () => {
    const isLabel = ({ key, english }: { key: string; english: string }) =>
      english.length <= 40 &&
      countForms(english) === 1 &&
      !/[.?!:]$/.test(english) &&
      !/^(toasts|mails|ra)\.|\.(added|changed|deleted|moved)$/.test(key);
    const longTexts = pairs(language).filter(
      (pair) => isLabel(pair) && pair.text.length > pair.english.length * 1.6 + 10,
    );
    expect(longTexts.map(describePair)).toEqual([]);
  });

  test('spacing and quotation marks are those of the language', () => {
    const allForms = [...textsOf(language)].flatMap(([key, text]) =>
      text.split(' |||| ').map((part) => ({ key, part })),
    );
    expect(
      allForms.filter(
        ({ key, part }) => /\s{2}|["']/.test(part) || (part.trim() !== part && key !== 'ra.boolean.null'),
      ),
    ).toEqual([]);
  });
});

test('French punctuation stays on the same line as its word', () => {
  const misplacedSpaces = [...textsOf('fr')].filter(([, text]) =>
    / [?:;»]| !(?!\s@)|« |[^\s\u00a0/0-9!][?!;»]/.test(text.replaceAll('http://', '')),
  );
  expect(misplacedSpaces).toEqual([]);
});

test.each(languageCodes)('percent signs in %s are spaced as in printed percentages', (language) => {
  const expected = formatPercent(7, { language }).slice(1);
  const files = ['api', 'ui', 'mail', 'entities'].map((name) =>
    readFileSync(`${root}/locales/${language}/${name}.json`, 'utf8'),
  );
  const signs = files.flatMap((text) =>
    [...text.matchAll(/[0-9}]([ \u00a0\u202f]?%)(?![{\w])/g)].map(([, sign]) => sign),
  );
  expect(new Set(signs)).toEqual(new Set([expected]));
});

test('no page or message appends a percent sign by itself', () => {
  const misplacedTexts = readSources().flatMap(({ path, text }) =>
    /^(src|server)/.test(path) && /(?:\}[ \u00a0]|, ')%[`'<\n]|'units\.percent'/.test(text) ? [path] : [],
  );
  expect(misplacedTexts).toEqual([]);
});

test('days are typed as day, month and year with full stops in every language', () => {
  for (const language of languageCodes) {
    const texts = textsOf(language);
    expect(texts.get('form.date_placeholder')).toMatch(/^(\p{L})\1\.(\p{L})\2\.(\p{L})\3{3}$/u);
    expect(texts.get('validation.date')).toContain(texts.get('form.date_placeholder'));
  }
});

test('English-only API messages are translated in the browser', () => {
  const { unauthenticated, forbidden, notFound, tooMany } = ApiError;
  const fixedTexts = [unauthenticated(), forbidden(), notFound(), tooMany(1)].map(({ message }) => message);
  for (const sentence of [...fixedTexts, 'Server Error'])
    expect(new Set(languageCodes.map((code) => textsOf(code).get(sentence))).size).toBe(languageCodes.length);
});

test('Polish uses its three plural forms', () => {
  const countText = (count: number) =>
    Polyglot.transformPhrase(textsOf('pl').get('resources.machines.counted') as string, { smart_count: count }, 'pl');
  expect([0, 1, 2, 5, 12, 22, 112, 1502].map(countText)).toEqual([
    ...['0 maszyn', '1 maszyna', '2 maszyny', '5 maszyn', '12 maszyn', '22 maszyny', '112 maszyn', '1502 maszyny'],
  ]);
  expect(textsOf('pl').get('resources.machines.name')).toBe('Maszyna |||| Maszyny |||| maszyn');
});

test('the mail with the code calls the page by its name in the interface', () => {
  for (const language of languageCodes)
    expect(mailTexts[language].reset.code).toContain(textsOf(language).get('login.reset_title'));
});

describe.each(entities.map((entity) => [entity.name, entity] as const))('%s', (name, entity) => {
  test.each(languageCodes)('every field, group, choice and help has its text in %s', (language) => {
    const texts = textsOf(language);
    const keys = Object.entries(entity.fields).flatMap(([field, { kind, choices = [], help, of = {} }]) => [
      `fields.${field}`,
      ...(kind === 'choice' ? choices : []).map((choice) => `choices.${field}.${choice}`),
      ...Object.keys(of).map((inner) => `fields.${field}.${inner}`),
      ...(help ? [`help.${field}`] : []),
    ]);
    const groups = Object.keys(entity.form).map((group) => `groups.${group}`);
    expect([...keys, ...groups].filter((key) => !texts.has(`resources.${name}.${key}`))).toEqual([]);
  });

  test('no text exists for an undeclared group', () => {
    const groupNames = Object.keys(texts.en.resources[name as keyof typeof texts.en.resources].groups);
    expect(groupNames.filter((group) => !(group in entity.form))).toEqual([]);
  });
});

describe('texts in the interface', () => {
  const files = readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith('i18n'),
  );
  const sources = files.map((file) => ({ file, text: readFileSync(`${root}/src/${file}`, 'utf8') }));
  const groups = () => new Set([...textsOf('en').keys()].map((key) => key.split('.')[0]));

  test('every key that a component names exists', () => {
    const usedKeys = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w.])(?:translate|t)\(\s*(?:[^'"`()]*\?\s*)?['"]([a-z_]+\.[\w.]+)['"]/g)].map(
        ([, key = '']) => ({ file, key }),
      ),
    );
    expect(usedKeys.length).toBeGreaterThan(100);
    expect(usedKeys.filter(({ key }) => groups().has(key.split('.')[0] as string) && !textsOf('en').has(key))).toEqual(
      [],
    );
  });

  test('every text of the interface is used somewhere', () => {
    // Messages that the API always sends in English are translated in the browser; `no_script` stands in index.html.
    const code = [
      ...sources.map(({ text }) => text),
      'errors.forbidden errors.server errors.session_ended errors.too_many errors.no_script',
    ].join('\n');
    // The last segment of a key may come from the server, such as the name of a counter.
    const allSources = readSources()
      .map(({ path, text }) => (/^(src\/i18n|tests)/.test(path) ? '' : text))
      .join('\n');
    const patterns = [...new Set([...code.matchAll(/`([a-z_.]+)\$\{/g)].map(([, start = '']) => start))].filter(
      (start) => start.includes('.'),
    );
    const isBuilt = (key: string) =>
      patterns.some(
        (start) => key.startsWith(start) && new RegExp(`\\b${key.slice(start.length)}\\b`).test(allSources),
      );
    const isNamed = (key: string) => new RegExp(`(?<!\\w)${key.replaceAll('.', '\\.')}(?!\\w)`).test(code);
    const uiGroups = new Set(Object.keys(readTexts('en', 'ui')));
    expect(
      [...textsOf('en').keys()].filter(
        (key) => uiGroups.has(key.split('.')[0] as string) && !isNamed(key) && !isBuilt(key),
      ),
    ).toEqual([]);
  });
});

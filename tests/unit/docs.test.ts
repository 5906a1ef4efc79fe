/** Paths, commands, identifiers and links in README and docs exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['locales', 'schema', 'server', 'src', 'demo', 'tests', 'scripts', 'docs', 'public', '.github'];
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
const names = new Set([...readdirSync(root), ...folders.flatMap(filesIn).map((path) => basename(path))]);

const pages = [...readdirSync(root), ...['docs', 'locales', '.github'].flatMap(filesIn)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const startsInFolder = new RegExp(`^(${folders.join('|').replace('.', '\\.')})/`);
const isFileName = /^[\w.-]+\.(ts|tsx|mjs|css|sql|md|json)$/;
/** References to tests as in security.md: `api/session`. */
const isTest = /^(api|unit|ui|e2e)\/[\w/-]+$/;

/** Code in backticks, but not fenced blocks, which contain commands and programs. */
const codeIn = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] as string);

/** The folder that a path with a placeholder is in: `schema/entities/` for `schema/entities/<entity>.ts`. */
const withoutPlaceholder = (path: string): string => (/[<{*]/.test(path) ? path.replace(/[^/]*[<{*].*$/, '') : path);

/** Whether the file, folder or test that a piece of code names exists; true if it names none. */
function isValidReference(code: string): boolean {
  if (startsInFolder.test(code)) return existsSync(join(root, withoutPlaceholder(code)));
  if (isFileName.test(code)) return names.has(code);
  if (isTest.test(code))
    return ['', '.test.ts', '.test.tsx'].some((end) => existsSync(join(root, 'tests', code + end)));
  return true;
}

/**
 * Names without a lower-case word of prose: `readRow`, `EntityHooks`, `machine_days`, also inside `select(readRow)`.
 */
const identifier = /(?<![\w./$-])(?:[a-z]+(?:[A-Z]\w*|_\w+)|[A-Z][a-z]+[A-Z]\w*)(?![\w/-])/g;
/** Names that recipes invent for code that the reader writes. */
const inventedNames = [
  'door_code',
  'door_codes',
  'docking_stations',
  'x_report',
  'xRoutes',
  'xSql',
  'finishX',
  'xJobs',
];

/** Every name in our code, without comments. */
const namesInCode = () =>
  new Set(
    ['schema', 'server', 'src', 'demo', 'tests', 'scripts', 'examples']
      .flatMap(filesIn)
      .filter((path) => /\.(ts|tsx|mjs|sql)$/.test(path) && path !== 'tests/unit/docs.test.ts')
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .replaceAll(/\/\*[\s\S]*?\*\//g, '')
          .match(/[\w$]+/g),
      ),
  );

test('recipes and architecture name identifiers that exist', () => {
  const codeNames = namesInCode();
  const missingNames = pages
    .filter(({ path }) => ['docs/recipes.md', 'docs/architecture.md'].includes(path))
    .flatMap(({ text }) => codeIn(text))
    .flatMap((code) => code.match(identifier) ?? [])
    .filter((name) => !codeNames.has(name) && !inventedNames.includes(name));
  expect(missingNames).toEqual([]);
});

test('pages are found', () => {
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['README.md', 'docs/architecture.md', 'docs/recipes.md']),
  );
});

describe.each(pages)('$path', ({ path, text }) => {
  test('names files and folders that exist', () => {
    expect(codeIn(text).filter((code) => !isValidReference(code))).toEqual([]);
  });

  test('names commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const scriptNames = [...text.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] as string);
    expect(scriptNames.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('links to pages that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] as string);
    const brokenLinks = links.filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(root, dirname(path), to)));
    expect(brokenLinks).toEqual([]);
  });
});

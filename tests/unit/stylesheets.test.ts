/** Stylesheets load with their pages in any order, so each styles only its own classes, with variables that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/sources';

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(css|tsx?)$/.test(name))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }));
const sheets = files.filter(({ path }) => path.endsWith('.css'));

test('stylesheets use only defined variables', () => {
  const definedNames = new Set(
    files.flatMap(({ text }) => text.match(/--[\w-]+(?=['"]?\]?:)|(?<=')--sl-[\w-]+(?=')/g) ?? []),
  );
  const usedVariables = sheets.flatMap(({ path, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(usedVariables.length).toBeGreaterThan(500);
  expect(
    usedVariables.filter(({ name }) => !definedNames.has(name)).map(({ path, name }) => `${path}: ${name}`),
  ).toEqual([]);
});

test('stylesheets of pages share no class, so that no page changes the look of another', () => {
  const pages = sheets.filter(({ path }) => /^src\/(pages|resources)\//.test(path));
  const owners = new Map<string, Set<string>>();
  for (const { path, text } of pages)
    for (const [, name = ''] of withoutPrint(text).matchAll(/(?:^|[},])\s*(\.[\w-]+)\s*(?=[,{])/g))
      owners.set(name, (owners.get(name) ?? new Set()).add(path));
  expect(owners.size).toBeGreaterThan(200);
  const sharedClasses = [...owners].filter(([, paths]) => paths.size > 1);
  expect(sharedClasses.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
});

const withoutPrint = (text: string) =>
  text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/@media print \{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '');

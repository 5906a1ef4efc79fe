/** Cost of declarations for the compiler: 100 entities with 30 fields, measured by `tsc --extendedDiagnostics`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../support/sources';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kinds = [
  'text({ required: true, unique: true, max: 60 })',
  'text({ min: 3, max: 60, help: true })',
  'longtext()',
  'email({ required: true })',
  "integer({ min: 0, default: 0, unit: 's' })",
  "money({ read: 'e0.finance', min: 0 })",
  'boolean({ required: true, default: false })',
  'date()',
  "choice(['found', 'missing', 'unchecked'], { required: true, default: 'unchecked' })",
  "instant({ write: false, store: 'state' })",
];

/** A typical entity: 30 fields of ten kinds, references to its neighbours, list, form, grants, scope. */
function declaration(index: number): string {
  const fields = Array.from({ length: 26 }, (_, field) => `f${field}: ${kinds[field % kinds.length]},`);
  return `
import { entity } from '${root}schema/dsl/entity';
import { boolean, choice, date, email, instant, integer, longtext, many, money, records, ref, refs, text } from '${root}schema/dsl/field';
export const e${index} = entity('e${index}', {
  title: 'f0',
  fields: {
    ${fields.join('\n    ')}
    owner_id: ref('e${(index + 1) % 100}', { required: true }),
    peer_ids: refs('e${(index + 2) % 100}'),
    children: many('e${(index + 99) % 100}', 'owner_id'),
    lines: records({ email: email({ required: true }), primary: boolean({ default: false }) }),
  },
  list: { columns: ['f0', 'f1', 'f2', 'owner_id', 'created_at'], sort: 'f0', search: ['f0', 'f1', 'owner.f0'], filters: ['f4', 'owner_id'] },
  form: { main: ['f0', 'f1', 'f2', 'f3'], more: ['owner_id', 'peer_ids'] },
  grants: { admin: 'all', country_manager: 'write', partner: 'write', customer_admin: 'read', site_manager: 'read', operator: 'none' },
  scope: { country: 'owner.owner_id', client: 'owner_id' },
});`;
}

test('100 entities with 30 fields take fewer than 250,000 instantiations', () => {
  const names = Array.from({ length: 100 }, (_, index) => `e${index}`);
  for (const [index, name] of names.entries()) writeFileSync(join(folder, `${name}.ts`), declaration(index));
  writeFileSync(
    join(folder, 'index.ts'),
    `${names.map((name) => `import { ${name} } from './${name}';`).join('\n')}
import type { Entity, Row } from '${root}schema/dsl/entity';
export const registry = { ${names.join(', ')} };
export const entities: readonly Entity[] = Object.values(registry);
export type Rows = { [N in keyof typeof registry]: Row<(typeof registry)[N]> };
type Labels = { [N in keyof typeof registry]: Record<Extract<keyof (typeof registry)[N]['fields'], string>, string> };
export const label = (labels: Labels) => labels.e7.f3;
${names.map((name) => `export const of_${name} = (row: Rows['${name}']): [string, boolean, string | null, number, number[]] => [row.f0, row.f6, row.f2, row.owner_id, row.peer_ids];`).join('\n')}
`,
  );
  const options = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));

  const report = execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--extendedDiagnostics'],
    { encoding: 'utf8' },
  );
  const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(report)?.[1]);
  expect(report).not.toMatch(/error TS/);
  expect(instantiations).toBeGreaterThan(1000);
  expect(instantiations).toBeLessThan(250_000);
});

/** Bodies and query strings at and beyond every request limit. */
import type { Field } from '../../schema/dsl/field';
import { relationName } from '../../schema/dsl/relationName';
import { entities } from '../../schema/index';

export interface HostileBody {
  name: string;
  type: string;
  bytes: Buffer;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Creates the body only when it is sent, since each is a megabyte. */
function createLazyBody(name: string, type: string, make: () => string): HostileBody {
  let bytes: Buffer | undefined;
  return {
    name,
    type,
    get bytes() {
      bytes ??= Buffer.from(make());
      return bytes;
    },
  };
}
const json = (name: string, make: () => unknown): HostileBody =>
  createLazyBody(name, 'application/json', () => JSON.stringify(make()));
const text = (name: string, make: () => string): HostileBody => createLazyBody(name, 'application/json', make);
const form = (name: string, make: () => string): HostileBody =>
  createLazyBody(name, 'application/x-www-form-urlencoded', make);
const multipart = (name: string, parts: () => readonly string[]): HostileBody =>
  createLazyBody(
    name,
    'multipart/form-data; boundary=b',
    () =>
      `${parts()
        .map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`)
        .join('')}--b--\r\n`,
  );

/** Bytes of a body just below the limit. */
const bodyLimit = 1_000_000;
const keys = (count: number) => Object.fromEntries(times(count, (index) => [`k${index}`, index]));
const nestedArrays = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const ids = (count: number) => times(count, (index) => index + 1);

/** Fields of calls other than CRUD. */
const otherFields = [
  'email',
  'password',
  'token',
  'code',
  'ids',
  'emails',
  'text',
  'cells',
  'mapping',
  'words',
  'user_ids',
  'role_ids',
  'message',
  'data',
  'filter',
  'by',
];

/** Texts that make regular expressions backtrack a lot. */
const specialTexts = ['a', '@.', ' ', '1-', "'=", '\\"', 'ä', '😀'];

/** Fills all fields at once; each gets an equal share of the body. */
const fill = (fields: readonly string[], make: (name: string, share: number) => unknown) =>
  Object.fromEntries(fields.map((name) => [name, make(name, Math.floor(bodyLimit / fields.length))]));

/** Bodies for a path; bodies for an entity fill its fields. */
export function buildHostileBodies(path: string): HostileBody[] {
  const [, resource = ''] = /^\/api\/v1\/(\w+)/.exec(path) ?? [];
  const entity = entities.find(({ name }) => name === resource);
  const declaredFields: Record<string, Field> = entity?.fields ?? {};
  const fields = Object.keys(declaredFields).length > 0 ? Object.keys(declaredFields) : otherFields;
  const texts = (sign: string) =>
    fill(fields, (_, share) => sign.repeat(Math.floor((share - 20) / Buffer.byteLength(JSON.stringify(sign)))));
  const lists = (length: number, item: unknown) =>
    fill(fields, (_, share) =>
      times(Math.min(length, Math.floor((share - 20) / (JSON.stringify(item).length + 1))), () => item),
    );
  return [
    json('1,000 keys', () => keys(1000)),
    json('70,000 keys', () => keys(70_000)),
    json('1,000 keys in every field', () => fill(fields, (_, share) => keys(Math.min(1000, Math.floor(share / 13))))),
    json('fifty records of 1,000 keys in every field', () =>
      fill(fields, (_, share) => times(50, () => keys(Math.min(1000, Math.floor(share / 50 / 13))))),
    ),
    json('32 levels', () => fill(fields, () => JSON.parse(nestedArrays(31)))),
    text('half a million levels', () => nestedArrays(500_000)),
    ...specialTexts.map((sign) => json(`long texts of ${sign}`, () => texts(sign))),
    json('long lists of numbers', () => lists(10_000, 1)),
    json('long lists of texts', () => lists(10_000, 'a,b')),
    json('1,000 references everywhere', () =>
      fill(fields, () => ids(Math.min(1000, Math.floor(bodyLimit / fields.length / 6)))),
    ),
    json('half a million entries', () => ({ ids: times(450_000, () => 1), data: { name: 'x' } })),
    json('10,000 ids', () => ({ ids: ids(10_000), data: { name: 'x', note: 'x' }, by: 'fleet_id' })),
    json('10,000 ids and 900 keys', () => ({ ids: ids(10_000), data: keys(900) })),
    json('10,000 changes', () => ({
      changes: times(10_000, (index) => ({ id: index + 1, data: { name: 'x', note: 'x' } })),
    })),
    json('filters at their limit', () => ({
      filter: Object.fromEntries(
        times(40, (index) => [
          `${fields[index % fields.length]}${['', '.not', '.begins', '.is'][index % 4]}`,
          times(100, (index) => `zz${index}`.repeat(20)),
        ]),
      ),
      data: { name: 'x' },
      by: 'fleet_id',
    })),
    json('a search at its limit', () => ({
      filter: { search: times(20, (index) => `zz${index}`).join(' '), note: times(100, (index) => `zz${index}`) },
      data: { note: 'x' },
    })),
    text('a single text', () => `"${'a'.repeat(bodyLimit)}"`),
    form('1,000 equal pairs', () => 'a=&'.repeat(999)),
    form('20,000 equal pairs', () => 'a=&'.repeat(20_000)),
    form('1,000 pairs of fields', () =>
      times(1000, (index) => `${fields[index % fields.length]}[]=${index}`).join('&'),
    ),
    form('1,000 pairs of records', () => times(1000, (index) => `emails[${index % 50}][x${index}]=1`).join('&')),
    form('a long value', () => `${fields[0]}=${'%20'.repeat(300_000)}`),
    multipart('1,000 fields', () =>
      times(1000, (index) => `name="${fields[index % fields.length]}[]"\r\n\r\n${index}`),
    ),
    multipart('2,000 fields', () => times(2000, (index) => `name="f${index}"\r\n\r\n`)),
    multipart('five files', () =>
      times(5, () => `name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(200_000)}`),
    ),
    multipart('a wide table', () => [
      `name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${`${'name,'.repeat(2000)}\n`.repeat(90)}`,
    ]),
    multipart('a long table', () => [
      `name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nname\n${'"a,b\n'.repeat(180_000)}`,
    ]),
  ];
}

/** Query strings at their limits, for the list of an entity or any other read. */
export function buildHostileQueries(path: string): string[] {
  const [, resource = ''] = /^\/api\/v1\/(\w+)/.exec(path) ?? [];
  const entity = entities.find(({ name }) => name === resource);
  const fields = entity ? Object.entries(entity.fields) : [];
  const texts = fields
    .filter(([, { kind }]) => ['text', 'longtext', 'email', 'phone', 'tags'].includes(kind))
    .map(([name]) => name);
  const sorts = fields
    .filter(([, { kind }]) => !['refs', 'many', 'records', 'password', 'tags', 'json'].includes(kind))
    .map(([name]) => name);
  const relations = fields.flatMap(([name, field]) => relationName(name, field) ?? []);
  const alternatives = times(100, (index) => `zz${index}zq`).join(',');
  const text = texts.includes('note') ? 'note' : (texts[0] ?? 'text');
  return [
    'per_page=1000',
    'per_page=1000&page=999999999',
    `filter[${text}]=${alternatives}`,
    `filter[${text}.not]=${alternatives}&filter[search]=${alternatives}`,
    `filter[${text}]=${'a'.repeat(250)}&filter[search]=${times(20, (index) => `z${index}`).join('%20')}`,
    times(
      50,
      (index) =>
        `filter[${texts[index % Math.max(1, texts.length)] ?? 'name'}${['', '.not', '.is', '.begins', '.is.not', '.begins.not'][Math.floor(index / Math.max(1, texts.length)) % 6]}]=zz${index}`,
    ).join('&'),
    `filter[id]=${times(1000, (index) => String(index + 1)).join(',')}`,
    `sort=${times(20, (index) => sorts[index % Math.max(1, sorts.length)] ?? 'id').join(',')}&per_page=1000`,
    `include=${times(500, (index) => relations[index % Math.max(1, relations.length)] ?? 'x').join(',')}&per_page=1000`,
    ...relations.map((relation) => `include=${relation}&per_page=1000`),
    `fields[${resource}]=${times(700, () => 'id').join(',')}`,
    times(1000, () => 'a').join('&'),
    times(4000, () => 'a').join('&'),
    `columns=${times(700, () => 'id').join(',')}&format=xlsx`,
    `q=${times(20, (index) => `z${index}`).join('+')}`,
    `from=0001-01-01&to=9999-12-31`,
    `group=day&from=2020-01-01&to=2030-12-31`,
    `bbox=-180,-90,180,90&zoom=22`,
  ];
}

/** Value types of `Queries` for postgres.js, by the OIDs of the catalog `pg_type`. */
import type { PostgresType } from 'postgres';
import { printArray, readArray } from './arrays';

interface Type {
  oid: number;
  /** OID of the array type. */
  array: number;
  print(value: unknown): string;
  read(text: string): unknown;
}

const asIs = (text: string) => text;
const strings = { print: String, read: asIs };
const numbers = { print: String, read: Number };
const instants = {
  print: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
  read: (text: string) => new Date(text),
};
// A string is JSON text already: JSON that PostgreSQL built is passed on without being parsed and printed again.
const json = {
  print: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  read: (text: string) => JSON.parse(text) as unknown,
};

const types: Record<string, Type> = {
  boolean: {
    oid: 16,
    array: 1000,
    print: (value) => (value === true || value === 't' || value === 'true' ? 't' : 'f'),
    read: (text) => text === 't',
  },
  bytes: {
    oid: 17,
    array: 1001,
    print: (value) =>
      value instanceof Uint8Array
        ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
        : String(value),
    read: (text) => Buffer.from(text.slice(2), 'hex'),
  },
  identifier: { oid: 19, array: 1003, ...strings },
  bigint: { oid: 20, array: 1016, ...numbers },
  smallint: { oid: 21, array: 1005, ...numbers },
  integer: { oid: 23, array: 1007, ...numbers },
  text: { oid: 25, array: 1009, ...strings },
  oid: { oid: 26, array: 1028, ...numbers },
  json: { oid: 114, array: 199, ...json },
  real: { oid: 700, array: 1021, ...numbers },
  number: { oid: 701, array: 1022, ...numbers },
  varchar: { oid: 1043, array: 1015, ...strings },
  day: {
    oid: 1082,
    array: 1182,
    print: (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value)),
    read: asIs,
  },
  timestamp: { oid: 1114, array: 1115, ...instants },
  moment: { oid: 1184, array: 1185, ...instants },
  numeric: { oid: 1700, array: 1231, ...strings },
  uuid: { oid: 2950, array: 2951, ...strings },
  jsonb: { oid: 3802, array: 3807, ...json },
};

/** The option `types` of postgres.js: every type and its array. */
export const valueTypes: Record<string, PostgresType> = Object.fromEntries(
  Object.entries(types).flatMap(([name, { oid, array, print, read }]) => {
    const scalar: PostgresType = { to: oid, from: [oid], serialize: print, parse: read };
    const list: PostgresType = {
      to: array,
      from: [array],
      serialize: (value: unknown) => (Array.isArray(value) ? printArray(value, print) : String(value)),
      parse: (text: string) => readArray(text, read),
    };
    return [
      [name, scalar],
      [`${name}s`, list],
    ];
  }),
);

/**
 * Row shapes: the columns of a statement's result as a value. The compiler infers the type of a row from it, and the
 * driver compares it with the column names and types that PostgreSQL reports (`RowChecks`).
 *
 *     const user = await db.selectOne({ id: pg.integer, email: pg.text, phone: pg.text.nullable }, sql`select …`);
 */
import { getTableColumns, type Table } from 'drizzle-orm';

/** Type of a column: the accepted PostgreSQL types, and as `Value` the JavaScript type that the driver returns. */
export class PgType<Value> {
  /** Phantom: never set. */
  declare readonly value: Value;

  constructor(
    readonly name: string,
    /** OIDs of the accepted types. */
    readonly oids: readonly number[],
    readonly arrayOids: readonly number[],
    readonly isNullable = false,
    /** For an array: whether its items may be null. */
    readonly hasNullItems = false,
  ) {}

  /** The same type, null allowed. Required for every column that an outer join may leave empty. */
  get nullable(): PgType<Value | null> {
    return new PgType(this.name, this.oids, this.arrayOids, true, this.hasNullItems);
  }

  get array(): PgType<Value[]> {
    return new PgType(`${this.name}[]`, this.arrayOids, [], false, this.isNullable);
  }

  get isArray(): boolean {
    return this.arrayOids.length === 0;
  }

  /** The same column with a narrower type: `pg.text.as<ScopeKind>()`. Values are not checked. */
  as<Narrow extends Value>(): PgType<Narrow> {
    return this as PgType<unknown> as PgType<Narrow>;
  }
}

const json = new PgType<unknown>('json', [114, 3802], [199, 3807]);

/** PostgreSQL's types as the driver returns them (`valueTypes.ts`). */
export const pg = {
  boolean: new PgType<boolean>('boolean', [16], [1000]),
  /** Integers of any width, also `count(*)`. Exact up to 2^53. */
  integer: new PgType<number>('integer', [20, 21, 23], [1016, 1005, 1007]),
  double: new PgType<number>('double precision', [700, 701], [1021, 1022]),
  /** A string in PostgreSQL's own notation, because a JavaScript number would not be exact. */
  numeric: new PgType<string>('numeric', [1700], [1231]),
  text: new PgType<string>('text', [25, 1043, 19], [1009, 1015, 1003]),
  /** Text as UTF-8 bytes, which spares decoding and encoding a large text that is only passed through. */
  utf8: new PgType<Buffer>('text', [25, 1043, 19], [1009, 1015, 1003]),
  uuid: new PgType<string>('uuid', [2950], [2951]),
  bytea: new PgType<Buffer>('bytea', [17], [1001]),
  timestamptz: new PgType<Date>('timestamptz', [1184], [1185]),
  /** `YYYY-MM-DD`. */
  date: new PgType<string>('date', [1082], [1182]),
  /** A parsed document. Its inner structure is declared, not checked. */
  json: <Value = unknown>(): PgType<Value> => json as PgType<unknown> as PgType<Value>,
} as const;

export type RowShape = Readonly<Record<string, PgType<unknown>>>;

/** Whether the shape has columns of type `pg.utf8`. */
export const hasBytes = (shape: RowShape): boolean => Object.values(shape).includes(pg.utf8);

/** The row that a shape describes. */
export type RowOf<Shape extends RowShape> = { [Name in keyof Shape]: Shape[Name]['value'] };

type ColumnsOf<T extends Table, Name extends keyof T['$inferSelect']> = {
  [N in Name]: PgType<T['$inferSelect'][N]>;
};

/** The shape of some columns of a declared table, null allowed where the table allows it. */
export function shapeOf<T extends Table, Name extends keyof T['$inferSelect'] & string>(
  table: T,
  ...names: Name[]
): ColumnsOf<T, Name> {
  const columns = getTableColumns(table);
  const shape = names.map((name) => {
    const column = columns[name];
    const sqlType = column?.getSQLType().replace(/ ?\(.*?\)/g, '') ?? '';
    const item = pgTypes[sqlType.replace('[]', '')];
    if (!column || !item) throw new Error(`The column ${name} has no row type: ${sqlType}`);
    const type = sqlType.endsWith('[]') ? item.array : item;
    return [name, column.notNull ? type : type.nullable];
  });
  return Object.fromEntries(shape) as ColumnsOf<T, Name>;
}

/** By the name that drizzle prints. */
const pgTypes: Readonly<Record<string, PgType<unknown>>> = {
  boolean: pg.boolean,
  smallint: pg.integer,
  integer: pg.integer,
  bigint: pg.integer,
  bigserial: pg.integer,
  real: pg.double,
  'double precision': pg.double,
  numeric: pg.numeric,
  text: pg.text,
  uuid: pg.uuid,
  bytea: pg.bytea,
  date: pg.date,
  json,
  jsonb: json,
  'timestamp with time zone': pg.timestamptz,
};

/**
 * Compares responses of the product and the limit: the same rows in the same order with the same values, and the same
 * total.
 */
import { isDeepStrictEqual } from 'node:util';

export type ResultRow = { id: number | string } & Record<string, unknown>;

export interface ListResult {
  rows: readonly ResultRow[];
  total: number;
}

export interface DifferenceOptions {
  /** Whether both must print the same fields; otherwise one of them does less work. */
  hasSameFields?: boolean;
  /** Fields that the product prints as sentences, while the limit prints the underlying values. */
  translatedFields?: readonly string[];
}

/** First difference of the product's response from the limit's, as a sentence; `undefined` if there is none. */
export function differenceOf(product: ListResult, limit: ListResult, options: DifferenceOptions = {}) {
  const [productIds, limitIds] = [product, limit].map(({ rows }) => rows.map(({ id }) => id)) as [unknown[], unknown[]];
  const [ofProduct, ofLimit] = [new Set(productIds), new Set(limitIds)];
  const missingId = limitIds.find((id) => !ofProduct.has(id));
  if (missingId !== undefined) return `row ${missingId} is missing`;
  const addedId = productIds.find((id) => !ofLimit.has(id));
  if (addedId !== undefined) return `row ${addedId} is not among the limit's`;
  const differingIndex = productIds.findIndex((id, index) => id !== limitIds[index]);
  if (differingIndex >= 0)
    return (
      `row ${productIds[differingIndex]} stands where the limit has ` +
      (differingIndex in limitIds ? `row ${limitIds[differingIndex]}` : 'no row')
    );
  if (product.total !== limit.total) return `the total is ${product.total}, the limit's ${limit.total}`;
  for (const [index, row] of product.rows.entries()) {
    const difference = differenceOfRow(row, limit.rows[index] as ResultRow, options);
    if (difference) return `row ${row.id}: ${difference}`;
  }
  return undefined;
}

function differenceOfRow(
  productRow: ResultRow,
  limitRow: ResultRow,
  { hasSameFields = false, translatedFields = [] }: DifferenceOptions,
): string | undefined {
  const missingField = hasSameFields && Object.keys(productRow).find((name) => !(name in limitRow));
  if (missingField) return `the limit does not print ${missingField}`;
  if (translatedFields.some((name) => name in limitRow && !(name in productRow)))
    return `${translatedFields} is missing`;
  const names = Object.keys(limitRow).filter((name) => !translatedFields.includes(name));
  return differenceOfFields(productRow, limitRow, names);
}

/** The innermost field that differs: `location.city is "Hamburg", the limit's "Berlin"`. */
function differenceOfFields(
  ownFields: Record<string, unknown>,
  limitFields: Record<string, unknown>,
  names: readonly string[],
): string | undefined {
  const name = names.find(
    (key) => !isDeepStrictEqual(comparableValue(ownFields[key]), comparableValue(limitFields[key])),
  );
  if (name === undefined) return undefined;
  const [value, limit] = [ownFields[name], limitFields[name]];
  if (!isRecord(value) || !isRecord(limit))
    return `${name} is ${JSON.stringify(value)}, the limit's ${JSON.stringify(limit)}`;
  return `${name}.${differenceOfFields(value, limit, Object.keys({ ...value, ...limit }))}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const timePattern = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** Normalizes times, which are equal however they are printed. */
function comparableValue(value: unknown): unknown {
  if (typeof value === 'string') return timePattern.test(value) ? Date.parse(value) : value;
  if (Array.isArray(value)) return value.map(comparableValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, comparableValue(entry)]));
}

/** Reads the rows of a list, or a single row, in the API's format, which the limit also uses. */
export function readRows(body: string): ListResult {
  const { data, total = 1 } = JSON.parse(body) as { data: ResultRow | ResultRow[]; total?: number };
  return { rows: Array.isArray(data) ? data : [data], total };
}

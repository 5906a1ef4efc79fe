/** Validates a draft: rules of the declaration, write permission per field, references, unique keys, hook `before`. */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { withOffset } from '../../../schema/dsl/isDay';
import { normalizeChoices } from '../../../schema/dsl/normalizeChoices';
import { canonicalHours } from '../../../schema/dsl/parseHours';
import { problemsOf } from '../../../schema/dsl/rules';
import { normalizeJson } from '../../../schema/dsl/shapes';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import { readableFields, writableFields } from '../query/fields';
import { runDatabaseChecks } from './databaseChecks';
import type { Draft } from './draft';
import { type CurrentRow, isSameValue } from './lockRows';
import { storeImages, withoutReadOnly } from './requestBody';

/** Draft after the validation by rules, to which further checks may add problems. */
export interface RuleResult {
  /** Values to store if valid, without fields that would not change. */
  values: Record<string, unknown>;
  fail: (field: string, problem: FieldProblem) => void;
  /** Whether no problem with the field has been found so far. */
  isFieldValid: (name: string) => boolean;
  /** Runs the entity's hooks `before` and, unless the insert computes its columns itself, `onInsert`. */
  runBefore(options?: { insertComputes?: boolean }): Promise<void>;
  isValid(): boolean;
  /** Problems so far, by field. */
  problems(): ReadonlyMap<string, readonly FieldProblem[]>;
  /** Throws one 422 with all problems. */
  throwIfInvalid(): void;
}

/** Returns the valid values to store. Throws one 422 with all problems. */
export async function validateDraft(draft: Draft): Promise<Record<string, unknown>> {
  const result = await validateRules(draft);
  await runDatabaseChecks(draft, result);
  await result.runBefore();
  result.throwIfInvalid();
  return result.values;
}

/** Validates by the rules of the declaration and by write permissions; stores images. */
export async function validateRules({
  services,
  tx,
  entity,
  caller,
  body,
  current,
  onlyFields,
  cache,
}: Draft): Promise<RuleResult> {
  const errors = new Map<string, FieldProblem[]>();
  const invalidFields = new Set<string>();
  const fail = (field: string, problem: FieldProblem) => {
    addToGroup(errors, field, problem);
    const [name = field] = field.split('.');
    invalidFields.add(name);
  };
  const values = changedValues(entity, normalizeValues(entity, withoutReadOnly(entity, body.values)), current);
  const writableNames = writableFields(entity, caller, current ? 'edit' : 'create', current?.id);
  const readableNames = readableFields(entity, caller);
  const forbiddenNames = Object.keys(values).filter(
    (name) => !writableNames.includes(name) && Object.hasOwn(entity.fields, name) && readableNames.includes(name),
  );
  for (const name of forbiddenNames) {
    fail(name, { key: 'prohibited' });
    delete values[name];
  }
  // An uploaded image has no URL before it is stored. Until then, a placeholder passes the rules in its place.
  const candidate = {
    ...values,
    ...Object.fromEntries([...body.images.keys()].map((name) => [name, 'https://uploaded.invalid/'])),
  };
  for (const [path, pathProblems] of problemsOf(entity, candidate, { fields: writableNames, current, side: 'server' }))
    for (const problem of pathProblems) fail(path, problem);
  await storeImages(
    tx,
    { values, images: new Map([...body.images].filter(([name]) => writableNames.includes(name))) },
    fail,
  );
  // `errors` is checked too, because the name of an unknown field may contain a dot.
  const isFieldValid = (name: string) => !invalidFields.has(name) && !errors.has(name);
  return {
    values,
    fail,
    isFieldValid,
    runBefore: async ({ insertComputes = false } = {}) => {
      // Only valid values reach the hook, because it queries the database with them.
      const validValues =
        errors.size === 0 ? values : Object.fromEntries(Object.entries(values).filter(([name]) => isFieldValid(name)));
      await entity.hooks.before?.({
        tx,
        caller,
        services,
        id: current?.id ?? 0,
        values: validValues,
        current,
        fail,
        cache,
      });
      if (current || insertComputes || errors.size > 0) return;
      for (const [name, value] of insertColumnsOf(entity, values, todayOf(services))) {
        const row = await tx.one(sql`select ${value} as value`);
        if (row?.value !== (values[name] ?? null)) values[name] = row?.value;
      }
    },
    isValid: () => errors.size === 0,
    problems: () => errors,
    throwIfInvalid: () => {
      const problems = onlyFields
        ? new Map(
            [...errors].filter(([path]) => onlyFields.some((name) => path === name || path.startsWith(`${name}.`))),
          )
        : errors;
      if (problems.size > 0) throw ApiError.invalid(problems, entity.name);
    },
  };
}

/** Columns that the hook `onInsert` computes from the other values of a new row, with their SQL. */
export const insertColumnsOf = (
  { hooks }: ModelEntity,
  values: Record<string, unknown>,
  today: unknown,
): (readonly [name: string, value: SQL])[] =>
  Object.entries(hooks.onInsert ?? {}).flatMap(([name, compute]) => {
    const value = compute(values, today);
    return value ? [[name, value] as const] : [];
  });

/** `YYYY-MM-DD` in UTC. */
export const todayOf = (services: Services): string => services.now().toISOString().slice(0, 10);

/** Values in the form in which they are stored. */
const normalizeValues = (entity: ModelEntity, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(normalizeChoices(entity.fields, values)).map(([name, value]) => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
      if (field?.kind === 'json' && field.shape) return [name, normalizeJson(field.shape, value)];
      if (field?.kind === 'instant') return [name, withOffset(value)];
      return [name, field?.kind === 'hours' ? canonicalHours(value) : value];
    }),
  );

function changedValues(
  entity: ModelEntity,
  values: Record<string, unknown>,
  current: CurrentRow | undefined,
): Record<string, unknown> {
  if (!current) return values;
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
      return !field || field.kind === 'password' || !isSameValue(field, value, current[name]);
    }),
  );
}

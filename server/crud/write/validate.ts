/**
 * Judges what a client sends for a row: rules of the declaration, what the caller may write, references, unique keys,
 * the entity's own rules.
 */
import type { Entity } from '../../../schema/dsl/entity';
import { problemsOf } from '../../../schema/dsl/rules';
import { hooksOf } from '../../access/entityModel';
import { ApiError, type FieldProblem } from '../../context/errors';
import { readableFields, writableFields } from '../query/fields';
import { storeImages, withoutReadOnly } from './body';
import { runDatabaseChecks } from './databaseChecks';
import type { Draft } from './draft';
import { type CurrentRow, isSameValue } from './lockRows';

/** What is known of a draft without asking the database. */
export interface RuleResult {
  /** The values to store, if nothing is wrong; fields that would not change are left out. */
  values: Record<string, unknown>;
  fail: (field: string, found: FieldProblem) => void;
  /** Whether nothing was found wrong with a field so far. */
  sound: (name: string) => boolean;
  /** Lets the entity's own rules judge as well. */
  before(): Promise<void>;
  isSound(): boolean;
  /** What was found wrong so far, by field. */
  wrong(): ReadonlyMap<string, readonly FieldProblem[]>;
  /** Throws one 422 with everything that was found wrong. */
  refuseWrong(): void;
}

/** The values to store, all valid. Throws one 422 with everything that is wrong. */
export async function validateDraft(draft: Draft): Promise<Record<string, unknown>> {
  const judged = await validateRules(draft);
  await runDatabaseChecks(draft, judged);
  await judged.before();
  judged.refuseWrong();
  return judged.values;
}

/** Judges by the rules of the declaration and by what the caller may write; stores pictures. */
export async function validateRules({
  services,
  tx,
  entity,
  caller,
  sent,
  current,
  only,
  known,
}: Draft): Promise<RuleResult> {
  const errors = new Map<string, FieldProblem[]>();
  const unsound = new Set<string>();
  const fail = (field: string, found: FieldProblem) => {
    const there = errors.get(field);
    if (there) there.push(found);
    else errors.set(field, [found]);
    const [name = field] = field.split('.');
    unsound.add(name);
  };
  const values = changed(entity, withoutReadOnly(entity, sent.values), current);
  const allowed = writableFields(entity, caller, current ? 'edit' : 'create', current?.id);
  const shown = readableFields(entity, caller);
  const forbidden = Object.keys(values).filter(
    (name) => !allowed.includes(name) && Object.hasOwn(entity.fields, name) && shown.includes(name),
  );
  for (const name of forbidden) {
    fail(name, { key: 'prohibited' });
    delete values[name];
  }
  const given = {
    ...values,
    ...Object.fromEntries([...sent.images.keys()].map((name) => [name, 'https://uploaded.invalid/'])),
  };
  for (const [path, found] of problemsOf(entity, given, { fields: allowed, current, side: 'server' }))
    for (const one of found) fail(path, one);
  await storeImages(tx, { values, images: new Map([...sent.images].filter(([name]) => allowed.includes(name))) }, fail);
  // An unknown key may hold a dot of its own.
  const sound = (name: string) => !unsound.has(name) && !errors.has(name);
  return {
    values,
    fail,
    sound,
    before: async () => {
      // What is wrong already is not handed on: the entity's own rules ask the database with these values.
      const valid =
        errors.size === 0 ? values : Object.fromEntries(Object.entries(values).filter(([name]) => sound(name)));
      await hooksOf(entity).before?.({
        tx,
        caller,
        services,
        id: current?.id ?? 0,
        values: valid,
        current,
        fail,
        known,
      });
    },
    isSound: () => errors.size === 0,
    wrong: () => errors,
    refuseWrong: () => {
      const wrong = only
        ? new Map([...errors].filter(([path]) => only.some((name) => path === name || path.startsWith(`${name}.`))))
        : errors;
      if (wrong.size > 0) throw ApiError.invalid(wrong, entity.name);
    },
  };
}

function changed(
  entity: Entity,
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

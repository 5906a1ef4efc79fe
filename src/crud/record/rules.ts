/** Validates forms by the entity's declaration, with messages in the user's language. */
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { Problem } from '../../../schema/dsl/checks';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { problemsOf } from '../../../schema/dsl/rules';
import { imageProblem } from '../fields/ImageInput';
import type { Translate } from '../shared/filters';

type Values = Record<string, unknown>;

/** Initial values of a new row. */
export const blankValues = (entity: Entity, names: readonly string[]): Values =>
  Object.fromEntries(
    names.map((name) => [name, entity.fields[name]?.default ?? (isList(entity.fields[name]) ? [] : null)]),
  );

/** The values of a row for the fields of a form. */
export const valuesOf = (entity: Entity, names: readonly string[], row: Values): Values =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? (isList(entity.fields[name]) ? [] : null)]));

const isList = (field: Field | undefined) => field !== undefined && ['refs', 'tags', 'records'].includes(field.kind);

export interface FormRules {
  names: readonly string[];
  current?: Values;
  /** Returns the fields that the current values require. */
  requiredFields?: (values: Values) => readonly string[];
}

/** Problems of form values by path. */
export function formProblems(
  entity: Entity,
  values: Values,
  { names, current, requiredFields }: FormRules,
): Map<string, Problem[]> {
  const normalized = Object.fromEntries(names.map((name) => [name, values[name] === '' ? null : values[name]]));
  const images = names.filter(
    (name) =>
      entity.fields[name]?.kind === 'image' &&
      (normalized[name] instanceof Blob || (normalized[name] && normalized[name] === current?.[name])),
  );
  // Chosen files and stored images are not URLs, so `imageProblem` checks them instead.
  const checkedNames = names.filter((name) => !images.includes(name));
  const ruleProblems = problemsOf(entity, withoutServerValues(entity, normalized), {
    fields: checkedNames,
    current,
    side: 'form',
  });
  for (const name of images) {
    const key = imageProblem(normalized[name]);
    if (key) ruleProblems.set(name, [{ key }]);
  }
  for (const name of requiredFields?.(normalized) ?? [])
    if (isEmpty(normalized[name])) ruleProblems.set(name, [{ key: 'required' }]);
  return ruleProblems;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Records as the server accepts them, without server-written values. */
function withoutServerValues(entity: Entity, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const recordFields = entity.fields[name]?.of;
      if (!recordFields || !Array.isArray(value)) return [name, value];
      return [
        name,
        value.map((record: Values) =>
          Object.fromEntries(Object.entries(record).filter(([valueName]) => recordFields[valueName]?.write !== false)),
        ),
      ];
    }),
  );
}

/** Resolver for react-hook-form, whose messages are complete sentences. */
export function resolverOf(entity: Entity, options: FormRules & { translate: Translate }): Resolver<FieldValues> {
  return (values) => {
    const problems = formProblems(entity, values, options);
    if (problems.size === 0) return { values, errors: {} };
    const errors: FieldErrors = {};
    for (const [path, [problem]] of problems)
      if (problem)
        setError(errors, path.split('.'), {
          type: problem.key,
          message: problemSentence(entity, path, problem, options.translate),
        });
    return { values: {}, errors };
  };
}

/** A problem as a sentence: "Postal code must be a number." */
export function problemSentence(entity: Entity, path: string, { key, values }: Problem, translate: Translate): string {
  const labelOf = (name: string) => translate(`resources.${entity.name}.fields.${name}`);
  return translate(`validation.${key}`, {
    ...values,
    field: labelOf(path.replace(/\.\d+\./, '.')),
    ...(values?.other !== undefined && { other: labelOf(String(values.other)) }),
  });
}

function setError(errors: object, [step = '', ...further]: string[], error: object): void {
  const level = errors as Record<string, object>;
  if (further.length === 0) level[step] = { ...level[step], ...error };
  else {
    level[step] ??= /^\d+$/.test(further[0] as string) ? [] : {};
    setError(level[step], further, error);
  }
}

/**
 * Validation rules as yup schemas, built from the declaration and shared by server and forms.
 *
 * A violated rule yields a `Problem`: a key of `validation` in the texts, with its values. It becomes a sentence where
 * the reader's language is known.
 */
import { mixed, object, ValidationError } from 'yup';
import { addToGroup } from './addToGroup';
import { isEmpty, missingProblem, type Problem, problem, problemOf } from './checks';
import type { Entity } from './entity';
import type { Field } from './field';
import { requestLimits } from './requestLimits';

export interface RuleOptions {
  /** The fields to validate. */
  fields: readonly string[];
  /**
   * The stored row, which supplies the values of fields that were not sent. Without it, the rules are those of a new
   * row, where every required field must be sent.
   */
  current?: Record<string, unknown>;
  /**
   * `form` also requires `required: 'form'` fields and ignores unknown ones; `server` rejects unknown fields by name.
   */
  side: 'form' | 'server';
}

/**
 * Builds the yup schema for the named fields. Its messages are `Problem` objects; nested ones have paths such as
 * `emails[0].email`. Values are validated as they are: nothing is cast, trimmed or replaced by a default.
 */
export function rulesOf(entity: Pick<Entity, 'fields'>, { fields, current, side }: RuleOptions) {
  const shape = Object.fromEntries(
    fields.map((name) => {
      const field = entity.fields[name] as Field;
      return [
        name,
        mixed()
          .nullable()
          .test({
            name,
            test: (value, context) => {
              const storedRow = current ?? (context.options.context as RuleContext | undefined)?.current;
              return validateField(
                field,
                value,
                context.parent as Record<string, unknown>,
                { current: storedRow, side },
                context.path,
                context,
              );
            },
          }),
      ];
    }),
  );
  const schema = object(shape);
  const names = new Set(fields);
  if (side === 'form') return schema.stripUnknown();
  return schema.test({
    name: 'unknown',
    test: (value, context) => {
      const unknownNames = Object.keys(value ?? {}).filter((key) => !names.has(key));
      if (unknownNames.length === 0) return true;
      return errorWithoutStack(
        unknownNames.map((key) =>
          errorWithoutStack(problem('unknown') as never, context.path ? `${context.path}.${key}` : key),
        ),
      );
    },
  });
}

/** The stored row, passed to a cached schema on each use. */
interface RuleContext {
  current?: Record<string, unknown>;
}

const schemas = new WeakMap<Entity['fields'], Map<string, ReturnType<typeof rulesOf>>>();

/** Caches schemas without a stored row, because building one costs far more than validating with it. */
function cachedSchema(entity: Pick<Entity, 'fields'>, { fields, side }: RuleOptions): ReturnType<typeof rulesOf> {
  const fieldSchemas = schemas.get(entity.fields) ?? new Map<string, ReturnType<typeof rulesOf>>();
  schemas.set(entity.fields, fieldSchemas);
  const key = `${side} ${fields.join(' ')}`;
  const schema = fieldSchemas.get(key) ?? rulesOf(entity, { fields, side });
  fieldSchemas.set(key, schema);
  return schema;
}

/** Creates an error without a stack trace, which would cost more than the whole validation. */
const errorWithoutStack = (errors: ConstructorParameters<typeof ValidationError>[0], path?: string) =>
  new ValidationError(errors, undefined, path, undefined, true);

type TestContext = { createError: (options: { path?: string; message: never }) => ValidationError };

function validateField(
  field: Field,
  value: unknown,
  siblings: Record<string, unknown>,
  { current, side }: Pick<RuleOptions, 'current' | 'side'>,
  path: string,
  context: TestContext,
) {
  const fail = (problemOfField: Problem) => context.createError({ path, message: problemOfField as never });
  const siblingValue = (name: string) => (siblings[name] === undefined ? current?.[name] : siblings[name]);

  if (value === undefined && current) return true;
  if (value === undefined && field.default !== undefined) return true;
  if (side === 'form' && field.required === 'form' && isEmpty(value)) return fail(missingProblem(field));
  const { requiredWithout: other } = field;
  if (other && isEmpty(value) && isEmpty(siblingValue(other)))
    // A form that does not contain the other field cannot suggest filling it in instead.
    return fail(side === 'form' && !(other in siblings) ? missingProblem(field) : problem('either', { other }));
  if (field.same && (value ?? null) !== (siblings[field.same] ?? null)) return fail(problem('same'));
  const fieldProblem = problemOf(field, value);
  if (fieldProblem) return fail(fieldProblem);
  if (field.kind !== 'records' || !field.of || !Array.isArray(value)) return true;
  const recordErrors = value
    .flatMap((record: Record<string, unknown>, index) =>
      recordProblems(field.of as Record<string, Field>, record).map(([name, recordProblem]) => ({
        recordProblem,
        at: `${path}[${index}].${name}`,
      })),
    )
    .slice(0, requestLimits.keys)
    .map(({ recordProblem, at }) => errorWithoutStack(recordProblem as never, at));
  return recordErrors.length > 0 ? errorWithoutStack(recordErrors) : true;
}

function recordProblems(fields: Record<string, Field>, record: Record<string, unknown>): [string, Problem][] {
  const unknownProblems = Object.keys(record)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name): [string, Problem] => [name, problem('unknown')]);
  const problems = Object.entries(fields).flatMap(([name, field]): [string, Problem][] => {
    const fieldProblem =
      record[name] === undefined && field.default !== undefined ? undefined : problemOf(field, record[name]);
    return fieldProblem ? [[name, fieldProblem]] : [];
  });
  return [...unknownProblems, ...problems];
}

/** Returns problems by path (`name`, `emails.0.email`), in the order found; empty if the values are valid. */
export function problemsOf(
  entity: Pick<Entity, 'fields'>,
  values: Record<string, unknown>,
  options: RuleOptions,
): Map<string, Problem[]> {
  try {
    const context: RuleContext = { current: options.current };
    cachedSchema(entity, options).validateSync(values, {
      abortEarly: false,
      strict: true,
      disableStackTrace: true,
      context,
    });
    return new Map();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const problems = new Map<string, Problem[]>();
    for (const { path = '', errors } of leafErrors(error)) {
      const key = path.replace(/\[(\d+)\]/g, '.$1').replace(/^\["(.*)"\]$/, '$1');
      for (const problem of errors as unknown as Problem[]) addToGroup(problems, key, problem);
    }
    return problems;
  }
}

function leafErrors(error: ValidationError): ValidationError[] {
  return error.inner.length > 0 ? error.inner.flatMap(leafErrors) : [error];
}

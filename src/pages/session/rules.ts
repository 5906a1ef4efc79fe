/** Validates forms that do not edit an entity, such as a password reset, by the fields that an entity declares. */
import { type TranslateFunction, useTranslate } from 'react-admin';
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import { registry } from '../../../schema';
import { isEmpty, type Problem, problemOf } from '../../../schema/dsl/checks';
import type { Entity } from '../../../schema/dsl/entity';
import { problemsOf } from '../../../schema/dsl/rules';

/**
 * Returns a form resolver that validates the fields by their declarations in the entity, with messages in the user's
 * language. Fields that the entity does not declare are required.
 */
export function useRules<V extends FieldValues>(
  entity: Pick<Entity, 'fields'>,
  { labels = {} }: { labels?: Partial<Record<keyof V & string, string>> } = {},
): Resolver<V> {
  const translate = useTranslate();
  return async (values) => {
    const definedValues: Record<string, unknown> = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === '' ? null : value]),
    );
    const fields = Object.keys(values).filter((name) => Object.hasOwn(entity.fields, name));
    const problems = problemsOf(entity, definedValues, { fields, side: 'form' });
    const ruleProblems = Object.keys(values).flatMap((name): [string, Problem][] => {
      const [first] = problems.get(name) ?? [];
      if (first) return [[name, first]];
      return !fields.includes(name) && isEmpty(definedValues[name]) ? [[name, { key: 'required' }]] : [];
    });
    const errors = Object.fromEntries(
      ruleProblems.map(([name, problem]) => [
        name,
        {
          type: problem.key,
          message: problemMessage(translate, problem, labels[name] ?? translate(`resources.users.fields.${name}`)),
        },
      ]),
    );
    return ruleProblems.length > 0 ? { values: {}, errors: errors as FieldErrors<V> } : { values, errors: {} };
  };
}

const problemMessage = (translate: TranslateFunction, { key, values }: Problem, field: string) =>
  translate(`validation.${key}`, { field, ...values });

const { password, password_confirmation } = registry.users.fields;
/** In these forms a new password is required; in the user's own form it is optional. */
export const newPasswordFields = { password: { ...password, required: true }, password_confirmation } as const;

/** Password rules in the order in which validation checks them. */
export const passwordRules = ['password_length', 'password_letters', 'password_digit', 'password_special'] as const;
type PasswordRule = (typeof passwordRules)[number];

// Validation stops at the first broken rule. These suffixes make any value pass the rules before the tested one.
const passingSuffix: Record<PasswordRule, string> = {
  password_length: '',
  password_letters: '        ',
  password_digit: 'Aa      ',
  password_special: 'Aa1     ',
};

/** Whether a password satisfies one rule, regardless of the others. */
export function satisfiesRule(rule: PasswordRule, password: string): boolean {
  const probe = rule === 'password_length' ? password : password.slice(0, 100);
  return problemOf({ kind: 'password' }, `${probe}${passingSuffix[rule]}`)?.key !== rule;
}

/** An empty form shows all missing required fields at once, and fields of which one suffices at both fields. */
import { describe, expect, it } from 'vitest';
import { isCreatable } from '../../schema/dsl/entity';
import { problemsOf } from '../../schema/dsl/rules';
import { entities, registry } from '../../schema/index';
import { languageCodes } from '../../schema/shared/languages';
import { problemText } from '../../server/i18n/messages';
import { blankValues, formProblems } from '../../src/crud/record/rules';

const blankProblems = (entity: (typeof entities)[number], names: readonly string[]) =>
  formProblems(entity, blankValues(entity, names), { names });

describe.each(entities.filter(isCreatable))('the empty form of $name', (entity) => {
  const names = Object.keys(entity.fields).filter(
    (name) => entity.fields[name]?.write !== false && entity.fields[name]?.kind !== 'many',
  );

  it('shows every required field at once', () => {
    const problems = blankProblems(entity, names);
    const requiredNames = names.filter((name) => {
      const { required: isRequired, requiredWithout, default: defaultValue } = entity.fields[name] ?? {};
      return (
        ((isRequired === true || isRequired === 'form') && defaultValue === undefined) || requiredWithout !== undefined
      );
    });
    expect([...problems.keys()].sort()).toEqual(requiredNames.sort());
  });

  it('requires everything that the server requires', () => {
    const values = Object.fromEntries(Object.entries(blankValues(entity, names)).filter(([, value]) => value !== null));
    const serverProblems = problemsOf(entity, values, { fields: names, side: 'server' });
    const problems = blankProblems(entity, names);
    expect([...serverProblems.keys()].filter((path) => !problems.has(path))).toEqual([]);
  });
});

const pairs = entities.flatMap((entity) =>
  Object.entries(entity.fields).flatMap(([name, { requiredWithout: other }]) =>
    other ? [{ entity, name, other }] : [],
  ),
);

describe('alternatives', () => {
  it('are declared at both fields', () => {
    expect(pairs.length).toBeGreaterThan(3);
    for (const { entity, name, other } of pairs) expect(entity.fields[other]?.requiredWithout).toBe(name);
  });

  it.each(pairs)('$name or $other is named at both fields, in six languages', ({ entity, name, other }) => {
    const [problem] = blankProblems(entity, [name, other]).get(name) ?? [];
    expect(problem).toEqual({ key: 'either', values: { other } });
    for (const language of languageCodes) {
      const labels = [name, other].map((field) =>
        problemText(language, { entity, field, problem: { key: 'required' } }),
      );
      const sentence = problemText(language, { entity, field: name, problem: problem as never });
      expect(sentence).not.toMatch(/%\{|_id/);
      expect(labels).not.toContain(sentence);
    }
  });

  it('are required individually in a form with only one of them', () =>
    expect(blankProblems(registry.service_plans, ['machine_id']).get('machine_id')?.[0]?.key).toBe('choose'));
});

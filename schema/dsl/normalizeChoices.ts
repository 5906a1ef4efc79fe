import { isEmpty } from './checks';
import type { Field } from './field';

/**
 * Replaces the word in each field with `normalize`, unless it is a choice already, by the choice that it stands for.
 * The field `normalize.raw` receives the word, unless a value was sent for that field. If only the raw word was sent,
 * it determines the choice. Returns a copy of the values.
 */
export function normalizeChoices(
  fields: Readonly<Record<string, Field>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const normalizedValues = { ...values };
  for (const [name, { choices = [], normalize }] of Object.entries(fields)) {
    if (!normalize) continue;
    const word = values[name] ?? values[normalize.raw];
    const maxLength = fields[normalize.raw]?.max ?? Number.POSITIVE_INFINITY;
    if (
      typeof word !== 'string' ||
      isEmpty(word) ||
      word.length > maxLength ||
      choices.includes(values[name] as string)
    )
      continue;
    normalizedValues[name] = normalize.choose(word);
    normalizedValues[normalize.raw] = values[normalize.raw] ?? word;
  }
  return normalizedValues;
}

/** A condition in words: "contains “10”", "is Offline or Charging", "in the last 7 days". Pure. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { isDay, isInstant } from '../../../schema/dsl/isDay';
import type { Language } from '../../../schema/shared/languages';
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
} from '../../i18n/format';
import { fieldAt } from '../../providers/filters';
import { choiceLabel, entityAtPath, inputKindOf, type Translate } from '../shared/filters';
import { type Condition, isDayField } from './conditions';

interface PhraseInput {
  entity: Entity;
  condition: Condition;
  translate: Translate;
  language: Language;
  /** Returns the name of a row, for conditions on rows. */
  rowName?: (id: number) => string;
}

/** A condition in words, without the name of its field. */
export function describeCondition({ entity, condition, translate, language, rowName }: PhraseInput): string {
  const { path, operator, values } = condition;
  const field = fieldAt(entity, path.split('.'));
  if (operator === 'other' || !field) return values.join(', ');
  const hasListPhrases = field.kind === 'refs' || inputKindOf(field) === 'none' || path.endsWith('.id');
  if (operator === 'empty' || operator === 'filled')
    return hasListPhrases ? translate(`filters.list_phrases.${operator}`) : translate(`filters.phrases.${operator}`);
  if (operator === 'last' || operator === 'next' || operator === 'older')
    return translate(`filters.phrases.${operator}`, { smart_count: Number(values[0] ?? 0) });
  const words = values.map((value) => valueText({ entity, path, field, value, translate, language, rowName }));
  if (operator === 'between') return translate('filters.phrases.between', { from: words[0], to: words[1] });
  const value = words.join(` ${translate('filters.or')} `);
  if (isDayField(field)) return translate(`filters.day_phrases.${operator}`, { value });
  return translate(`filters.phrases.${operator === 'none_of' && values.length === 1 ? 'is_not' : operator}`, { value });
}

interface ValueInput extends Omit<PhraseInput, 'condition'> {
  path: string;
  field: Field;
  value: string;
}

function valueText({ entity, path, field, value, translate, language, rowName }: ValueInput): string {
  if (value === 'null') return translate('filters.nothing');
  const inputKind = inputKindOf(field);
  const owner = entityAtPath(entity, path);
  const name = path.split('.').at(-1) ?? path;
  if (inputKind === 'rows') return rowName?.(Number(value)) ?? `#${value}`;
  if (inputKind === 'choices') return choiceLabel(owner.name, name, value, translate);
  if (inputKind === 'boolean')
    return translate(`resources.${owner.name}.choices.${name}.${value}`, {
      _: translate(value === 'true' ? 'frame.yes' : 'frame.no'),
    });
  return inputKind === 'text'
    ? translate('filters.quoted', { value })
    : printRangeValue(field, value, { translate, language });
}

function printRangeValue(
  field: Field,
  text: string,
  { translate, language }: Pick<PhraseInput, 'translate' | 'language'>,
): string {
  // Links from figures about a location in another time zone filter by instants instead of days.
  if (isDayField(field)) return isInstant(text) ? formatDateTime(text) : isDay(text) ? formatDate(text) : text;
  if (text === '' || Number.isNaN(Number(text))) return text;
  if (field.kind === 'money') return formatMoney(text, language);
  if (field.unit === 's') return formatDuration(Number(text), language);
  if (field.unit === 'percent') return formatPercent(Number(text), { language });
  const number = formatNumber(Number(text), { language });
  return field.unit ? `${number}\u00a0${translate(`units.${field.unit}`)}` : number;
}

import { useTranslate } from 'ra-core';
import { useId } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { fieldAt } from '../../providers/filters';
import { Icon } from '../../ui/Icon';
import { decimalSeparator } from '../fields/parseInput';
import { filterLabel, inputKindOf, type Translate } from '../shared/filters';
import { useLanguage } from '../shared/useLanguage';
import { ConditionValue } from './ConditionValue';
import { type Condition, findOperators, isDayField, type Operator } from './conditions';
import { FieldPicker } from './FieldPicker';
import type { FieldGroup } from './fieldGroups';
import type { ConditionProblem } from './validateConditions';

interface ConditionRowProps {
  entity: Entity;
  groups: readonly FieldGroup[];
  condition: Condition;
  /** One-based. */
  number: number;
  problem: ConditionProblem | undefined;
  onChange: (condition: Condition) => void;
  onRemove: (button: HTMLElement) => void;
}

/** One condition: field, operator, value, a remove button, and its problem below. */
export const ConditionRow = ({ entity, groups, condition, number, problem, onChange, onRemove }: ConditionRowProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  const { path, operator } = condition;
  const field = path === '' ? undefined : fieldAt(entity, path.split('.'));
  const label = (part: string) => `${translate('filters.condition', { number })}: ${translate(`filters.${part}`)}`;
  const describedBy = problem ? `${id}-problem` : undefined;
  const choosePath = (next: string) => {
    const target = fieldAt(entity, next.split('.')) as Field;
    const [first = 'one_of'] = findOperators(entity, next);
    onChange({
      path: next,
      operator: findOperators(entity, next).includes(operator) && isSameInputKind(field, target) ? operator : first,
      values: [],
    });
  };
  return (
    <fieldset className="sl-condition" data-wrong={problem !== undefined}>
      <legend className="sl-hidden">{translate('filters.condition', { number })}</legend>
      <FieldPicker
        groups={groups}
        path={path}
        chosenLabel={path === '' ? '' : filterLabel(entity, path, translate)}
        label={label('field')}
        invalid={problem === 'field'}
        describedBy={problem === 'field' ? describedBy : undefined}
        onChange={choosePath}
      />
      {operator === 'other' && (
        <p className="sl-condition-other">{`${condition.values.join(', ')} – ${translate('filters.own_words')}`}</p>
      )}
      {field && operator !== 'other' && (
        <>
          <select
            className="sl-select"
            aria-label={label('operator')}
            value={operator}
            onChange={({ target }) => onChange(withOperator(condition, target.value as Operator, field))}
          >
            {selectableOperators(entity, condition).map((candidate) => (
              <option key={candidate} value={candidate}>
                {operatorLabel(field, candidate, translate)}
              </option>
            ))}
          </select>
          <div className="sl-condition-value">
            <ConditionValue
              key={`${path} ${operator}`}
              entity={entity}
              field={field}
              condition={condition}
              label={label('value')}
              invalid={problem !== undefined}
              describedBy={describedBy}
              onChange={(values) => onChange({ ...condition, values })}
            />
          </div>
        </>
      )}
      <button
        type="button"
        className="sl-icon-button"
        aria-label={translate('filters.remove_condition', { number })}
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      >
        <Icon name="close" size={16} />
      </button>
      {problem && (
        <p id={`${id}-problem`} className="sl-error" role="alert">
          {translate(`filters.errors.${problem}`, { example: `12${decimalSeparator(language)}5` })}
        </p>
      )}
    </fieldset>
  );
};

/** The operators of the field, and the current one even if only the URL allows it. */
const selectableOperators = (entity: Entity, { path, operator }: Condition): readonly Operator[] => {
  const operators = findOperators(entity, path);
  return operators.includes(operator) ? operators : [operator, ...operators];
};

const dayOperators: readonly Operator[] = ['is', 'is_not', 'at_least', 'at_most', 'more', 'less'];
function operatorLabel(field: Field, operator: Operator, translate: Translate): string {
  if (isDayField(field) && dayOperators.includes(operator)) return translate(`filters.day_operators.${operator}`);
  if (operator !== 'is' || inputKindOf(field) === 'text') return translate(`filters.operators.${operator}`);
  return translate(inputKindOf(field) === 'boolean' ? 'filters.operators.is_truth' : 'filters.operators.is_number');
}

const isSameInputKind = (before: Field | undefined, after: Field) =>
  before !== undefined && inputKindOf(before) === inputKindOf(after);

const dayCountOperators: readonly Operator[] = ['last', 'next', 'older'];
const valuelessOperators: readonly Operator[] = ['empty', 'filled'];

/** The condition with another operator. Keeps its values if they mean the same with it. */
function withOperator(condition: Condition, operator: Operator, field: Field): Condition {
  const hasSameValues =
    dayCountOperators.includes(condition.operator) === dayCountOperators.includes(operator) &&
    !valuelessOperators.includes(operator);
  const isMultiple =
    operator === 'one_of' || operator === 'none_of' || ['choices', 'rows'].includes(inputKindOf(field));
  const values = hasSameValues
    ? condition.values.slice(0, operator === 'between' ? 2 : isMultiple ? undefined : 1)
    : [];
  return { ...condition, operator, values };
}

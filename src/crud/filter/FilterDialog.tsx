import { useTranslate } from 'ra-core';
import { Fragment, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filters';
import { DialogActions } from '../../ui/DialogActions';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { ConditionRow } from './ConditionRow';
import {
  type Condition,
  groupConditions,
  groupOf,
  nextAlternative,
  parseConditions,
  printConditions,
} from './conditions';
import { fieldGroups } from './fieldGroups';
import { validateConditions } from './validateConditions';
import './filter.css';

interface FilterDialogProps {
  entity: Entity;
  filters: Filters;
  /** Index of the clicked condition; default: a new one. */
  at?: number;
  onApply: (filters: Filters) => void;
  onClose: () => void;
}

interface ConditionDraft extends Condition {
  key: number;
}

const blank = { path: '', operator: 'one_of', values: [] } as const satisfies Condition;

/** Edits the conditions of a list. Single conditions must all hold; of a group of alternatives, one suffices. */
export const FilterDialog = (props: FilterDialogProps) => {
  const translate = useTranslate();
  return (
    <Modal title={translate('filters.title')} className="sl-filter-dialog" onClose={props.onClose}>
      <p>{translate('filters.note')}</p>
      <FilterForm {...props} />
    </Modal>
  );
};

/** The form of the dialog. Shows problems only after the first attempt to apply. */
const FilterForm = ({ entity, filters, at, onApply, onClose }: FilterDialogProps) => {
  const translate = useTranslate();
  const groups = useMemo(() => fieldGroups(entity, translate), [entity, translate]);
  const [conditions, setConditions] = useState<readonly ConditionDraft[]>(() => {
    const initial = parseConditions(entity, filters).map((condition, key) => ({ ...condition, key }));
    return at === undefined ? insertDraft(initial, { ...blank, key: initial.length }) : initial;
  });
  const [focusedKey, setFocusedKey] = useState<number | undefined>(at ?? conditions.length - 1);
  const nextKey = useRef(conditions.length);
  const addButton = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [hasTriedToApply, setTriedToApply] = useState(false);
  const focusedPath = conditions.find(({ key }) => key === focusedKey)?.path;
  useFocus(
    form,
    conditions.findIndex(({ key }) => key === focusedKey),
    focusedPath,
  );
  // Rows without a chosen field are ignored.
  const completeConditions = conditions.filter(({ path }) => path !== '');
  const problems = validateConditions(entity, completeConditions);
  const problemOf = (condition: ConditionDraft) =>
    hasTriedToApply && condition.path !== '' ? problems.get(completeConditions.indexOf(condition)) : undefined;
  const apply = () => {
    if (problems.size > 0) return setTriedToApply(true);
    const { search, trashed } = filters;
    onApply({
      ...(search === undefined ? {} : { search }),
      ...(trashed === undefined ? {} : { trashed }),
      ...printConditions(entity, completeConditions).filters,
    });
  };
  const addDrafts = (alternatives: readonly (string | undefined)[]) => {
    setFocusedKey(nextKey.current);
    const drafts = alternatives.map((alternative, index) => ({ ...blank, key: nextKey.current + index, alternative }));
    nextKey.current += drafts.length;
    setConditions(drafts.reduce(insertDraft, conditions));
  };
  const remove = (conditionsToRemove: readonly ConditionDraft[], focus = addButton.current) => {
    setConditions(conditions.filter((condition) => !conditionsToRemove.includes(condition)));
    // Otherwise the focused row would take the focus again when its index changes.
    setFocusedKey(undefined);
    focus?.focus();
  };
  const rowOf = (condition: ConditionDraft) => (
    <ConditionRow
      entity={entity}
      groups={groups}
      condition={condition}
      number={conditions.indexOf(condition) + 1}
      problem={problemOf(condition)}
      onChange={(newCondition) => {
        if (newCondition.path !== condition.path) setFocusedKey(condition.key);
        const { key, alternative } = condition;
        setConditions(conditions.map((other) => (other === condition ? { ...newCondition, key, alternative } : other)));
      }}
      onRemove={(button) => {
        const group = button.closest('.sl-condition-group');
        // A group without conditions disappears, with its button.
        const hasOtherConditions = group?.querySelectorAll('.sl-condition')[1] !== undefined;
        remove([condition], hasOtherConditions ? group?.querySelector('.sl-condition-add') : undefined);
      }}
    />
  );
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {groupConditions(conditions).map((group, index, conditionGroups) => {
        const [first] = group;
        const name = first && groupOf(first);
        if (!name) return group.map((condition) => <Fragment key={condition.key}>{rowOf(condition)}</Fragment>);
        const number = index + 1 - conditionGroups.findIndex(([other]) => other?.alternative);
        return (
          <fieldset key={name} className="sl-condition-group">
            <legend className="sl-hidden">{translate('filters.group', { number })}</legend>
            <div className="sl-condition-group-head">
              <span>{translate('filters.any_of')}</span>
              <button
                type="button"
                className="sl-icon-button"
                aria-label={translate('filters.remove_group', { number })}
                onClick={() => remove(group)}
              >
                <Icon name="close" size={16} />
              </button>
            </div>
            {group.map((condition, position) => (
              <Fragment key={condition.key}>
                {position > 0 && (
                  <span className="sl-condition-joint">
                    {translate(
                      condition.alternative === group[position - 1]?.alternative ? 'filters.and' : 'filters.or',
                    )}
                  </span>
                )}
                {rowOf(condition)}
              </Fragment>
            ))}
            <AddButton label="filters.add_alternative" onClick={() => addDrafts([nextAlternative(conditions, name)])} />
          </fieldset>
        );
      })}
      <div className="sl-condition-adds">
        <AddButton ref={addButton} label="filters.add_condition" onClick={() => addDrafts([undefined])} />
        <AddButton
          label="filters.add_group"
          onClick={() => addDrafts([nextAlternative(conditions), nextAlternative(conditions).replace(/0$/, '1')])}
        />
      </div>
      <DialogActions label={translate('filters.apply')} onClose={onClose}>
        {conditions.length > 0 && (
          <button
            type="button"
            className="sl-text-button sl-filter-clear"
            onClick={() => {
              setConditions([]);
              addButton.current?.focus();
            }}
          >
            {translate('filters.clear')}
          </button>
        )}
      </DialogActions>
    </form>
  );
};

/** Inserts a condition at the end of its group, or after the other single conditions if it has none. */
function insertDraft(conditions: readonly ConditionDraft[], draft: ConditionDraft): readonly ConditionDraft[] {
  const lastIndex = conditions.findLastIndex((condition) => groupOf(condition) === groupOf(draft));
  const index = lastIndex < 0 && draft.alternative ? conditions.length : lastIndex + 1;
  return [...conditions.slice(0, index), draft, ...conditions.slice(index)];
}

interface AddButtonProps {
  label: string;
  ref?: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
}

const AddButton = ({ label, ref, onClick }: AddButtonProps) => (
  <button ref={ref} type="button" className="sl-button sl-button-dashed sl-condition-add" onClick={onClick}>
    <Icon name="plus" size={16} />
    {useTranslate()(label)}
  </button>
);

/** Focuses a row of the form: its value, or its field picker if no field is chosen. */
function useFocus(form: RefObject<HTMLFormElement | null>, index: number, path: string | undefined): void {
  useEffect(() => {
    const row = form.current?.querySelectorAll('.sl-condition')[index];
    const value = path
      ? row?.querySelector<HTMLElement>('.sl-condition-value :is(input, textarea, button)')
      : undefined;
    (value ?? row?.querySelector<HTMLElement>('input'))?.focus();
  }, [form, index, path]);
}

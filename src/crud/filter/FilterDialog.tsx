import { useTranslate } from 'ra-core';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filters';
import { DialogActions } from '../../ui/DialogActions';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { ConditionRow } from './ConditionRow';
import { type Condition, readConditions, writeConditions } from './conditions';
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

interface Begun extends Condition {
  key: number;
}

const blank = { path: '', operator: 'one_of', values: [] } as const satisfies Condition;

/** Edits the conditions of a list, which are combined by "and". Shows problems after the first attempt to apply. */
export const FilterDialog = (props: FilterDialogProps) => {
  const translate = useTranslate();
  return (
    <Modal title={translate('filters.title')} className="sl-filter-dialog" onClose={props.onClose}>
      <p>{translate('filters.note')}</p>
      <FilterForm {...props} />
    </Modal>
  );
};

/** Shows problems after the first attempt to apply. */
const FilterForm = ({ entity, filters, at, onApply, onClose }: FilterDialogProps) => {
  const translate = useTranslate();
  const groups = useMemo(() => fieldGroups(entity, translate), [entity, translate]);
  const [conditions, setConditions] = useState<readonly Begun[]>(() => {
    const read = readConditions(entity, filters);
    return (at === undefined ? [...read, blank] : read).map((condition, key) => ({ ...condition, key }));
  });
  const [focused, setFocused] = useState(at ?? conditions.length - 1);
  const next = useRef(conditions.length);
  const add = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const focusedPath = conditions.find(({ key }) => key === focused)?.path;
  useFocus(
    form,
    conditions.findIndex(({ key }) => key === focused),
    focusedPath,
  );
  // Untouched rows do not count.
  const complete = conditions.filter(({ path }) => path !== '');
  const problems = validateConditions(entity, complete);
  const problemOf = (condition: Begun) =>
    tried && condition.path !== '' ? problems.get(complete.indexOf(condition)) : undefined;
  const apply = () => {
    if (problems.size > 0) return setTried(true);
    const { search, trashed } = filters;
    onApply({
      ...(search === undefined ? {} : { search }),
      ...(trashed === undefined ? {} : { trashed }),
      ...writeConditions(entity, complete).filters,
    });
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          entity={entity}
          groups={groups}
          condition={condition}
          number={index + 1}
          problem={problemOf(condition)}
          onChange={(changed) => {
            if (changed.path !== condition.path) setFocused(condition.key);
            setConditions(conditions.map((one) => (one.key === condition.key ? { ...changed, key: one.key } : one)));
          }}
          onRemove={() => {
            setConditions(conditions.filter(({ key }) => key !== condition.key));
            add.current?.focus();
          }}
        />
      ))}
      <button
        ref={add}
        type="button"
        className="sl-button sl-button-dashed sl-condition-add"
        onClick={() => {
          const key = next.current;
          next.current += 1;
          setFocused(key);
          setConditions([...conditions, { ...blank, key }]);
        }}
      >
        <Icon name="plus" size={16} />
        {translate('filters.add_condition')}
      </button>
      <DialogActions label={translate('filters.apply')} onClose={onClose}>
        {conditions.length > 0 && (
          <button
            type="button"
            className="sl-text-button sl-filter-clear"
            onClick={() => {
              setConditions([]);
              add.current?.focus();
            }}
          >
            {translate('filters.clear')}
          </button>
        )}
      </DialogActions>
    </form>
  );
};

/** Focuses the row at `index`: its value, or its field if none is chosen. */
function useFocus(form: RefObject<HTMLFormElement | null>, index: number, path: string | undefined): void {
  useEffect(() => {
    const row = form.current?.querySelectorAll('.sl-condition')[index];
    const value = path
      ? row?.querySelector<HTMLElement>('.sl-condition-value :is(input, textarea, button)')
      : undefined;
    (value ?? row?.querySelector<HTMLElement>('input'))?.focus();
  }, [form, index, path]);
}

import { type RaRecord, useGetManyAggregate, useTranslate } from 'ra-core';
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filter';
import { Icon } from '../../ui/Icon';
import { useClickOutside } from '../../ui/useOutside';
import { titleOf } from '../shared/entities';
import { useLanguage } from '../shared/language';
import { useInView } from './useInView';
import { useRows } from './useRows';

interface RowPickerProps {
  entity: Entity;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  multiple?: boolean;
  filter?: Filters;
  /** Filters the offered rows where the server has no such filter. For entities of few rows. */
  narrow?: (rows: readonly RaRecord[]) => RaRecord[];
  /** Accessible name if no label is bound to `id`. */
  label?: string;
  id?: string;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string;
  required?: boolean;
}

/**
 * Picks rows of an entity by typing: a combobox after the ARIA practices (list autocomplete), for any number of rows.
 */
export const RowPicker = ({
  entity,
  value,
  onChange,
  multiple = false,
  filter,
  narrow,
  label,
  disabled,
  invalid,
  describedBy,
  required,
  ...inputProps
}: RowPickerProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const own = useId();
  const id = inputProps.id ?? own;
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const close = useCallback(() => {
    setOpen(false);
    setText('');
  }, []);
  useClickOutside(box, open, close);
  const { rows, isPending, more } = useRows({ entity, text, open, filter, narrow, language });
  const { data: selectedRows } = useGetManyAggregate<RaRecord>(
    entity.name,
    { ids: [...value] },
    { enabled: value.length > 0 },
  );
  const name = (rowId: number) =>
    titleOf(entity, selectedRows?.find((row) => row?.id === rowId) ?? rows.find((row) => row.id === rowId), language) ||
    `#${rowId}`;
  const single = multiple ? undefined : value[0];

  useInView(box, open, rows[active] && `${id}-${rows[active].id}`);

  const pick = (row: RaRecord) => {
    const rowId = Number(row.id);
    if (multiple) onChange(value.includes(rowId) ? value.filter((other) => other !== rowId) : [...value, rowId]);
    else onChange([rowId]);
    setText('');
    if (!multiple) setOpen(false);
    input.current?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text === '' && multiple && value.length > 0) onChange(value.slice(0, -1));
    if (event.key === 'Tab') close();
    if (!['ArrowDown', 'ArrowUp', 'Enter', 'Escape'].includes(event.key) || (!open && event.key !== 'ArrowDown'))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (!open) setOpen(true);
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, rows.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Escape') close();
    else if (rows[active]) pick(rows[active]);
  };
  return (
    <div ref={box} className="sl-picker" data-disabled={disabled}>
      <div className="sl-picker-box">
        {multiple &&
          value.map((rowId) => (
            <span key={rowId} className="sl-tag">
              {name(rowId)}
              <button
                type="button"
                aria-label={translate('form.remove_tag', { tag: name(rowId) })}
                disabled={disabled}
                onClick={() => onChange(value.filter((other) => other !== rowId))}
              >
                <Icon name="close" size={12} />
              </button>
            </span>
          ))}
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-label={label}
          aria-expanded={open}
          aria-controls={`${id}-rows`}
          aria-autocomplete="list"
          aria-activedescendant={open && rows[active] ? `${id}-${rows[active].id}` : undefined}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          aria-required={required}
          autoComplete="off"
          disabled={disabled}
          placeholder={
            single === undefined
              ? translate(multiple && value.length > 0 ? 'form.type_to_search' : 'form.choose')
              : undefined
          }
          value={open || single === undefined ? text : name(single)}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
            setOpen(true);
          }}
          onClick={() => setOpen(true)}
          onKeyDown={pressed}
        />
        {single !== undefined && !disabled && (
          <button
            type="button"
            className="sl-icon-button"
            aria-label={translate('form.clear')}
            title={translate('form.clear')}
            onClick={() => onChange([])}
          >
            <Icon name="close" size={16} />
          </button>
        )}
        <Icon name="down" size={16} className="sl-picker-mark" />
      </div>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the input while an option is pressed
        <div className="sl-picker-panel" onMouseDown={(event) => event.preventDefault()}>
          <div
            id={`${id}-rows`}
            role="listbox"
            aria-label={translate(`resources.${entity.name}.plural`)}
            aria-multiselectable={multiple}
          >
            {rows.map((row, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the input
              // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and points at the active option
              <div
                key={row.id}
                id={`${id}-${row.id}`}
                role="option"
                aria-selected={value.includes(Number(row.id))}
                data-active={index === active}
                onPointerEnter={() => setActive(index)}
                onClick={() => pick(row)}
              >
                <span>{titleOf(entity, row, language)}</span>
                {value.includes(Number(row.id)) && <Icon name="check" size={16} />}
              </div>
            ))}
          </div>
          {isPending && <p>{translate('frame.loading')}</p>}
          {!isPending && rows.length === 0 && <p>{translate('form.no_options')}</p>}
          {more && <p>{translate('form.type_to_search')}</p>}
        </div>
      )}
    </div>
  );
};

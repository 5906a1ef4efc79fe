import { type RaRecord, useGetManyAggregate, useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filters';
import { Picker } from '../../ui/Picker';
import { titleOf } from '../shared/entities';
import { useLanguage } from '../shared/useLanguage';
import { useRows } from './useRows';

interface RowPickerProps {
  entity: Entity;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  multiple?: boolean;
  filter?: Filters;
  /** Filters the options in the browser if the server lacks such a filter; only for entities with few rows. */
  narrow?: (rows: readonly RaRecord[]) => RaRecord[];
  /** Accessible name if no label is bound to `id`. */
  label?: string;
  id?: string;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string;
  required?: boolean;
}

/** Picks rows of an entity by typing. The server searches, so the entity may have any number of rows. */
export const RowPicker = ({
  entity,
  value,
  onChange,
  multiple = false,
  filter,
  narrow,
  label,
  id,
  disabled,
  invalid,
  describedBy,
  required,
}: RowPickerProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const { rows, isPending, hasMore } = useRows({ entity, text: open ? text : '', open, filter, narrow, language });
  const { data: selectedRows } = useGetManyAggregate<RaRecord>(
    entity.name,
    { ids: [...value] },
    { enabled: value.length > 0 },
  );
  const nameOf = (rowId: number) => {
    const isRow = (row: RaRecord | undefined) => row?.id === rowId;
    return titleOf(entity, selectedRows?.find(isRow) ?? rows.find(isRow), language) || `#${rowId}`;
  };
  return (
    <Picker<number, boolean>
      id={id}
      multiple={multiple}
      disableCloseOnSelect={multiple}
      options={rows.map((row) => Number(row.id))}
      // The server has already filtered the options.
      filterOptions={(options) => options}
      getOptionLabel={nameOf}
      getOptionKey={(rowId) => rowId}
      value={multiple ? [...value] : (value[0] ?? null)}
      onChange={(_, next) => onChange(next === null ? [] : [next].flat())}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      // With `multiple`, `value` is a new array on every render, which would make the library reset the typed text.
      inputValue={multiple ? text : undefined}
      onInputChange={(_, next, reason) => {
        if (!multiple || reason !== 'reset') setText(reason === 'input' ? next : '');
      }}
      disabled={disabled}
      loading={isPending}
      hint={hasMore ? translate('form.type_to_search') : undefined}
      listLabel={translate(`resources.${entity.name}.plural`)}
      input={{
        'aria-label': label,
        'aria-invalid': invalid,
        'aria-describedby': describedBy,
        'aria-required': required,
        placeholder:
          value.length === 0 ? translate('form.choose') : multiple ? translate('form.type_to_search') : undefined,
      }}
    />
  );
};

import Autocomplete, { type AutocompleteProps } from '@mui/material/Autocomplete';
import { useTranslate } from 'ra-core';
import type { InputHTMLAttributes } from 'react';
import { Icon } from './Icon';

type PickerProps<T, M extends boolean, F extends boolean> = Omit<
  AutocompleteProps<T, M, false, F>,
  'renderInput' | 'renderValue' | 'getOptionLabel'
> & {
  getOptionLabel: (option: T) => string;
  /** Text below the list. */
  hint?: string;
  /** Accessible name of the list. */
  listLabel?: string;
  /** Further attributes of the input. */
  input: InputHTMLAttributes<HTMLInputElement>;
};

/**
 * A combobox, following the ARIA practices. The list follows its input in the document, so that it belongs to the
 * surrounding dialog or landmark, and has a fixed position, so that no container clips it.
 */
export function Picker<T, M extends boolean = false, F extends boolean = false>(props: PickerProps<T, M, F>) {
  const { getOptionLabel, hint, listLabel, input, slotProps, ...autocompleteProps } = props;
  const translate = useTranslate();
  const label = getOptionLabel as (option: unknown) => string;
  return (
    <Autocomplete<T, M, false, F>
      className="sl-picker"
      autoHighlight
      disablePortal
      getOptionLabel={label}
      loadingText={translate('frame.loading')}
      noOptionsText={translate('form.no_options')}
      clearText={translate('form.clear')}
      openText={translate('form.choose')}
      closeText={translate('frame.close')}
      popupIcon={<Icon name="down" size={16} />}
      clearIcon={<Icon name="close" size={16} />}
      renderValue={
        autocompleteProps.multiple
          ? (selected, itemProps) =>
              (selected as unknown[]).map((option, index) => {
                const { className: _, onDelete, disabled, ...item } = itemProps({ index });
                return (
                  <span {...item} key={String(option)} className="sl-tag">
                    {label(option)}
                    <button
                      type="button"
                      aria-label={translate('form.remove_tag', { tag: label(option) })}
                      disabled={disabled}
                      onClick={onDelete}
                    >
                      <Icon name="close" size={12} />
                    </button>
                  </span>
                );
              })
          : undefined
      }
      renderOption={({ key, ...line }, option, { selected }) => (
        <li key={key} {...line}>
          <span>{label(option)}</span>
          {selected && <Icon name="check" size={16} />}
        </li>
      )}
      renderInput={({ InputProps: { ref, startAdornment, endAdornment, onMouseDown }, inputProps }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: pressing beside the input opens the list, as on the input
        <div ref={ref} className="sl-picker-box" onMouseDown={onMouseDown}>
          {startAdornment}
          <input {...inputProps} {...input} />
          {endAdornment}
        </div>
      )}
      slotProps={{
        ...slotProps,
        popper: { popperOptions: { strategy: 'fixed' }, modifiers: [aboveSaveBar] },
        paper: { className: 'sl-picker-panel', ...(hint ? { 'data-hint': hint } : {}) } as object,
        listbox: { 'aria-label': listLabel },
      }}
      {...autocompleteProps}
    />
  );
}

/** Opens the list upwards if it would cover the save bar of a form. */
const aboveSaveBar = { name: 'flip', options: { altBoundary: false, padding: { bottom: 72 } } };

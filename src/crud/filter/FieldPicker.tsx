import { useTranslate } from 'ra-core';
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { useClickOutside } from '../../ui/useOutside';
import { useInView } from '../fields/useInView';
import type { FieldGroup, FieldOption } from './fields';

interface FieldPickerProps {
  groups: readonly FieldGroup[];
  /** Path of the chosen field, '' for none. */
  path: string;
  /** Label of the chosen field. */
  said: string;
  label: string;
  invalid: boolean;
  describedBy?: string;
  onChange: (path: string) => void;
}

/** Picks a field from groups by typing: a combobox after the ARIA practices. */
export const FieldPicker = ({ groups, path, said, label, invalid, describedBy, onChange }: FieldPickerProps) => {
  const translate = useTranslate();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const close = useCallback(() => {
    setOpen(false);
    setText('');
  }, []);
  useClickOutside(box, open, close);
  const shown = narrowed(groups, text);
  const options = shown.flatMap(({ fields }) => fields);
  const at = Math.min(active, options.length - 1);
  const idOf = (option: FieldOption | undefined) => option && `${id}-${option.path}`;
  const activeId = open ? idOf(options[at]) : undefined;
  useInView(box, open, activeId);
  const pick = (option: FieldOption | undefined) => {
    if (!option) return;
    close();
    onChange(option.path);
  };
  const show = () => {
    setActive(
      Math.max(0, path === '' ? 0 : groups.flatMap(({ fields }) => fields).findIndex((field) => field.path === path)),
    );
    setOpen(true);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Tab') close();
    if (!['ArrowDown', 'ArrowUp', 'Enter', 'Escape'].includes(event.key) || (!open && event.key !== 'ArrowDown'))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (!open) show();
    else if (event.key === 'ArrowDown') setActive(Math.min(at + 1, options.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(at - 1, 0));
    else if (event.key === 'Escape') close();
    else pick(options[at]);
  };
  return (
    <div ref={box} className="sl-picker">
      <div className="sl-picker-box">
        <input
          role="combobox"
          aria-label={label}
          aria-expanded={open}
          aria-controls={`${id}-fields`}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          autoComplete="off"
          placeholder={translate('filters.choose_field')}
          value={open ? text : said}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
            setOpen(true);
          }}
          onClick={() => !open && show()}
          onKeyDown={pressed}
        />
        <Icon name="down" size={16} className="sl-picker-mark" />
      </div>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the input while an option is pressed
        <div className="sl-picker-panel" onMouseDown={(event) => event.preventDefault()}>
          <div id={`${id}-fields`} role="listbox" aria-label={label}>
            {shown.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by this role
              <div key={group.label} role="group" aria-label={group.label}>
                <div className="sl-field-group" aria-hidden="true">
                  {group.label}
                </div>
                {group.fields.map((option) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the input
                  // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and points at the active option
                  <div
                    key={option.path}
                    id={idOf(option)}
                    role="option"
                    aria-selected={option.path === path}
                    data-active={option === options[at]}
                    onPointerEnter={() => setActive(options.indexOf(option))}
                    onClick={() => pick(option)}
                  >
                    <span>{option.label}</span>
                    {option.path === path && <Icon name="check" size={16} />}
                  </div>
                ))}
              </div>
            ))}
          </div>
          {options.length === 0 && <p>{translate('form.no_options')}</p>}
        </div>
      )}
    </div>
  );
};

/** Fields whose name or group contains every typed word. */
function narrowed(groups: readonly FieldGroup[], text: string): FieldGroup[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ label, fields }) => ({
      label,
      fields: fields.filter((field) =>
        words.every((word) => `${label} ${field.label}`.toLocaleLowerCase().includes(word)),
      ),
    }))
    .filter(({ fields }) => fields.length > 0);
}

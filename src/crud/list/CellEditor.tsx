import { type RaRecord, useTranslate } from 'ra-core';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { FormProvider, useForm } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { IconButton } from '../../ui/IconButton';
import { FieldInput, inputId } from '../fields/FieldInput';
import { resolverOf, valuesOf } from '../record/rules';
import { isSameJson } from '../record/useJustChanged';
import { writableOf } from '../shared/entities';
import './cells.css';

interface CellEditorProps {
  entity: Entity;
  record: RaRecord;
  source: string;
  cell: HTMLElement;
  /** The rejected value and its problem. */
  refusal?: { value: unknown; problem: string };
  /** Called with the value, whether it changed, and the direction of the Tab key. */
  onSave: (value: unknown, isChanged: boolean, direction?: 1 | -1) => void;
  onCancel: () => void;
}

/** Input over a table cell. Enter and a click elsewhere save, Tab saves and moves on, Escape cancels. */
export const CellEditor = ({ entity, record, source, cell, refusal, onSave, onCancel }: CellEditorProps) => {
  const translate = useTranslate();
  const resolver = useMemo(
    () => resolverOf(entity, { names: [source], current: record, translate }),
    [entity, source, record, translate],
  );
  const [values] = useState(() => valuesOf(entity, [...new Set([...writableOf(entity, 'edit'), source])], record));
  const form = useForm({ defaultValues: values, resolver, mode: 'onSubmit' });
  const box = useRef<HTMLFormElement>(null);
  const position = useCellPosition(cell);
  const label = translate(`resources.${entity.name}.fields.${source}`);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the editor opens
  useEffect(() => {
    if (refusal) {
      form.setValue(source, refusal.value);
      form.setError(source, { type: 'server', message: refusal.problem });
    }
    const input = box.current?.querySelector<HTMLElement>(`#${CSS.escape(inputId(source))}`);
    input?.focus();
    if (input instanceof HTMLInputElement && input.type !== 'checkbox') input.select();
  }, []);

  const save = (direction?: 1 | -1) =>
    form.handleSubmit((formValues) => {
      const value = formValues[source] === '' ? null : formValues[source];
      onSave(value, !isSameJson(value, record[source]), direction);
    })();
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const saveOnOutsideClick = (event: PointerEvent) => {
      if (box.current && !box.current.contains(event.target as Node)) void latest.current();
    };
    document.addEventListener('pointerdown', saveOnOutsideClick, true);
    return () => document.removeEventListener('pointerdown', saveOnOutsideClick, true);
  }, []);

  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    // Enter has selected an option of a list and must not save as well.
    if (event.defaultPrevented) return;
    const isLong = event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Tab') void save(event.shiftKey ? -1 : 1);
    else if (event.key === 'Enter' && !(isLong && event.shiftKey) && !(event.target instanceof HTMLButtonElement))
      void save();
    else return;
    event.preventDefault();
  };
  return createPortal(
    <FormProvider {...form}>
      <form
        ref={box}
        className="sl-cell-editor"
        style={position.style}
        data-up={position.isLow}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={handleKey}
      >
        <FieldInput entity={entity} source={source} />
        <span className="sl-cell-buttons">
          <IconButton
            icon="check"
            label={translate('form.save')}
            size={16}
            type="submit"
            title={`${translate('form.save')} (Enter)`}
          />
          <IconButton
            icon="close"
            label={translate('form.cancel')}
            size={16}
            title={`${translate('form.cancel')} (Esc)`}
            onClick={onCancel}
          />
        </span>
      </form>
    </FormProvider>,
    document.getElementById('content') ?? document.body,
  );
};

/** Width of the two buttons beside the input, in pixels. */
const buttonsWidth = 72;

/** Minimum pixels below the cell. With less space, the list of a picker opens upwards. */
const minSpaceBelow = 330;

/** Position of the cell on the screen, updated on scroll and resize. */
function useCellPosition(cell: HTMLElement) {
  const [rect, setRect] = useState(() => cell.getBoundingClientRect());
  useLayoutEffect(() => {
    const update = () => setRect(cell.getBoundingClientRect());
    update();
    window.addEventListener('scroll', update, true);
    window.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update, true);
      window.removeEventListener('resize', update);
    };
  }, [cell]);
  const width = Math.max(rect.width + buttonsWidth, 280);
  const style = {
    left: Math.max(8, Math.min(rect.left, window.innerWidth - width - 8)),
    top: rect.top,
    width,
    minHeight: rect.height,
  };
  return { style, isLow: window.innerHeight - rect.bottom < minSpaceBelow };
}

import { HttpError, useTranslate } from 'ra-core';
import { useMemo, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { changeMany, type ProgressHandler, undoBulk } from '../../providers/bulk';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import type { MoveRowsProps } from '../bulk/MoveRows';
import { FieldInput } from '../fields/FieldInput';
import { writableOf } from '../shared/entities';
import { useCountText } from '../shared/useCountText';
import '../record/record.css';
import { blankValues, resolverOf } from '../record/rules';

/**
 * Changes fields of many rows at once, under the rules of the form. The dialog stays open while a field has a problem.
 */
export const BulkEdit = ({ entity, target, run, onClose, onDone }: MoveRowsProps) => {
  const translate = useTranslate();
  const rowsText = useCountText()(`resources.${entity.name}.counted`, target.count);
  const fieldNames = useMemo(() => bulkFields(entity), [entity]);
  const [names, setNames] = useState<string[]>([]);
  const resolver = useMemo(() => resolverOf(entity, { names, current: {}, translate }), [entity, names, translate]);
  const form = useForm({ defaultValues: blankValues(entity, fieldNames), resolver, mode: 'onTouched' });
  const submit = form.handleSubmit(async (values) => {
    const data = Object.fromEntries(names.map((name) => [name, values[name]]));
    const send = (onProgress: ProgressHandler) =>
      changeMany(entity, target, { data }, onProgress).catch((error: unknown) => {
        const errors =
          error instanceof HttpError
            ? ((error.body as { errors?: Record<string, string[]> } | null)?.errors ?? {})
            : {};
        for (const [name, messages] of Object.entries(errors))
          form.setError(name, { type: 'server', message: messages.join(' ') });
        throw error;
      });
    const isDone = await run({
      send,
      resultText: 'toasts.bulk_changed',
      undo: (result, onProgress) => undoBulk(entity, result.undo ?? {}, onProgress),
    });
    if (!isDone) return;
    onClose();
    onDone();
  });
  return (
    <Modal title={translate('bulk.edit_title', { counted: rowsText })} onClose={onClose}>
      <p>{translate('bulk.edit_text')}</p>
      <FormProvider {...form}>
        <form className="sl-bulk-form" noValidate onSubmit={submit}>
          {names.map((name) => (
            <div key={name} className="sl-bulk-field">
              <FieldInput entity={entity} source={name} />
            </div>
          ))}
          <label className="sl-filter-field">
            {translate(names.length === 0 ? 'bulk.choose_field' : 'bulk.add_field')}
            <select className="sl-select" value="" onChange={({ target }) => setNames([...names, target.value])}>
              <option value="">{translate('form.choose')}</option>
              {fieldNames
                .filter((name) => !names.includes(name))
                .map((name) => (
                  <option key={name} value={name}>
                    {translate(`resources.${entity.name}.fields.${name}`)}
                  </option>
                ))}
            </select>
          </label>
          <DialogActions
            label={translate('bulk.edit_button', { counted: rowsText })}
            isDisabled={names.length === 0 || form.formState.isSubmitting}
            onClose={onClose}
          />
        </form>
      </FormProvider>
    </Modal>
  );
};

/** Fields that can have one value for many rows: no titles, unique fields, images, passwords, records or JSON. */
export const bulkFields = (entity: Entity): string[] =>
  writableOf(entity, 'edit').filter((name) => {
    const field = entity.fields[name];
    return (
      field !== undefined &&
      !field.unique &&
      name !== entity.title &&
      !['image', 'password', 'records', 'json'].includes(field.kind)
    );
  });

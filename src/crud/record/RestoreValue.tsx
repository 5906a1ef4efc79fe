import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { useConfirm } from '../../ui/ConfirmProvider';
import { Icon } from '../../ui/Icon';
import { writableOf } from '../shared/entities';
import type { FieldChange } from './fieldChange';

interface RestoreValueProps {
  entity: Entity;
  /** The current row. */
  record: RaRecord;
  change: FieldChange;
}

/**
 * Button that restores an earlier value of a field, under the rules of the form. Renders nothing if the field already
 * has that value or the user may not change it.
 */
export const RestoreValue = ({ entity, record, change: { field, before } }: RestoreValueProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  const provider = useDataProvider();
  const [isBusy, setBusy] = useState(false);
  const kind = entity.fields[field]?.kind;
  // A replaced image may no longer exist, and e-mail addresses have more state than their text.
  const isRestorable = kind !== undefined && !['password', 'image', 'records'].includes(kind);
  if (!isRestorable || !writableOf(entity, 'edit').includes(field) || isSame(before, record[field])) return null;
  const name = translate(`resources.${entity.name}.fields.${field}`);
  const restore = async () => {
    const question = {
      title: translate('history.restore_title', { field: name }),
      description: translate('history.restore_text'),
      button: translate('history.restore_button'),
    };
    if (!(await confirm(question))) return;
    setBusy(true);
    try {
      const value = before ?? (kind === 'refs' || kind === 'tags' ? [] : null);
      await provider.update(entity.name, { id: record.id, data: { [field]: value }, previousData: record });
      notify('history.restored', { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: [entity.name] }),
      client.invalidateQueries({ queryKey: ['audit'] }),
    ]);
  };
  return (
    <button
      type="button"
      className="sl-button sl-button-small"
      disabled={isBusy}
      title={translate('history.restore')}
      aria-label={`${translate('history.restore')}: ${name}`}
      onClick={() => void restore()}
    >
      <Icon name="restore" size={16} />
      <span>{translate('history.restore')}</span>
    </button>
  );
};

const comparableValue = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value;
const isSame = (a: unknown, b: unknown) => JSON.stringify(comparableValue(a)) === JSON.stringify(comparableValue(b));

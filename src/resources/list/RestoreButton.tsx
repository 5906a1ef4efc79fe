import { useQueryClient } from '@tanstack/react-query';
import { type RaRecord, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { dataProvider } from '../../providers/data';
import { titleOf } from '../entities';
import { useLanguage } from '../language';

/** Takes a row out of the bin. */
export const RestoreButton = ({ entity, record }: { entity: Entity; record: RaRecord }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const client = useQueryClient();
  const provider = useDataProvider<typeof dataProvider>();
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    try {
      await provider.restore(entity.name, record.id);
      notify('toasts.restored', { type: 'success', messageArgs: { name: titleOf(entity, record, language) } });
      await client.invalidateQueries({ queryKey: [entity.name] });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="sl-button sl-button-small" disabled={busy} onClick={restore}>
      {translate('record.restore')}
    </button>
  );
};

import { useQueryClient } from '@tanstack/react-query';
import { type RaRecord, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { dataProvider } from '../../providers/dataProvider';
import { useConfirm } from '../../ui/ConfirmProvider';
import { titleOf } from '../shared/entities';
import { removalTextsOf } from '../shared/removalTexts';
import { useLanguage } from '../shared/useLanguage';
import { canPurge } from './selection';

/** Restores a soft-deleted row; Admins may also purge it. */
export const BinButtons = ({ entity, record }: { entity: Entity; record: RaRecord }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  const provider = useDataProvider<typeof dataProvider>();
  const name = titleOf(entity, record, useLanguage());
  const words = removalTextsOf(entity).bin;
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>, toast: string) => {
    setBusy(true);
    try {
      await work();
      notify(toast, { type: 'success', messageArgs: { name } });
      await client.invalidateQueries({ queryKey: [entity.name] });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  const remove = async () => {
    const question = {
      title: translate('bin.remove_title', { name }),
      description: translate('bin.remove_text'),
      button: translate('bin.remove'),
    };
    if (await confirm(question)) await run(() => provider.purge(entity.name, record.id), 'bin.removed');
  };
  return (
    <span className="sl-bin-buttons">
      <button
        type="button"
        className="sl-button sl-button-small"
        disabled={isBusy}
        onClick={() => void run(() => provider.restore(entity.name, record.id), words.restored)}
      >
        {translate(words.restore)}
      </button>
      {canPurge() && (
        <button type="button" className="sl-button sl-button-small" disabled={isBusy} onClick={() => void remove()}>
          {translate('bin.remove')}
        </button>
      )}
    </span>
  );
};

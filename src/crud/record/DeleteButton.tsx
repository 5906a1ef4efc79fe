import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { useConfirm } from '../../ui/ConfirmDialog';
import { Icon } from '../../ui/Icon';
import { titleOf } from '../shared/entities';
import { useLanguage } from '../shared/language';
import { usePathOf } from '../shared/paths';
import { removalOf } from '../shared/removal';

/** Deletes a row after confirmation and returns to the list; draws nothing if the user may not delete. */
export const DeleteButton = ({ entity, record }: { entity: Entity; record: RaRecord }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const pathOf = usePathOf();
  const client = useQueryClient();
  const provider = useDataProvider();
  const language = useLanguage();
  const words = removalOf(entity);
  const [busy, setBusy] = useState(false);
  if (!can(entity.name, 'delete')) return null;
  const remove = async () => {
    const name = titleOf(entity, record, language);
    if (
      !(await confirm({
        title: translate(words.title, { name }),
        description: translate(words.text),
        button: translate(words.label),
      }))
    )
      return;
    setBusy(true);
    try {
      await provider.delete(entity.name, { id: record.id, previousData: record });
      notify(words.done ?? `resources.${entity.name}.deleted`, { type: 'success' });
      // The list reloads when it opens; the page being left must not request the deleted row.
      await client.invalidateQueries({ queryKey: [entity.name], refetchType: 'none' });
      navigate(pathOf(entity.name));
    } catch (error) {
      setBusy(false);
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <button type="button" className="sl-button" disabled={busy} onClick={remove}>
      <Icon name="trash" size={16} />
      {translate(words.label)}
    </button>
  );
};

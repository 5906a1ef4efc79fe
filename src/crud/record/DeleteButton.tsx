import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { HttpError, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import type { RefusedRow, UseCount } from '../../providers/bulk';
import { useConfirm } from '../../ui/ConfirmProvider';
import { Icon } from '../../ui/Icon';
import { RefusedRows } from '../bulk/RefusedRows';
import { titleOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { isDeletable, removalOf } from '../shared/removal';
import { useLanguage } from '../shared/useLanguage';

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
  const [refused, setRefused] = useState<RefusedRow>();
  if (!isDeletable(entity, record)) return null;
  const name = titleOf(entity, record, language);
  const remove = async () => {
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
      notify(words.toast ?? `resources.${entity.name}.deleted`, { type: 'success' });
      // The list reloads when it opens; the page being left must not request the deleted row.
      await client.invalidateQueries({ queryKey: [entity.name], refetchType: 'none' });
      navigate(pathOf(entity.name));
    } catch (error) {
      setBusy(false);
      const uses = usesIn(error);
      if (uses.length > 0) setRefused({ id: Number(record.id), name, message: (error as Error).message, uses });
      else notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <>
      <button type="button" className="sl-button" disabled={busy} onClick={remove}>
        <Icon name="trash" size={16} />
        {translate(words.label)}
      </button>
      {refused && <RefusedRows entity={entity} rows={[refused]} total={1} onClose={() => setRefused(undefined)} />}
    </>
  );
};

/** What still references the row, by the body of a 409. */
const usesIn = (error: unknown): readonly UseCount[] =>
  (error instanceof HttpError && (error.body as { uses?: UseCount[] } | undefined)?.uses) || [];

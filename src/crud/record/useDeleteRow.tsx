import { useQueryClient } from '@tanstack/react-query';
import { HttpError, type RaRecord, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { type ReactNode, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { RefusedRow, UseCount } from '../../providers/bulk';
import { useConfirm } from '../../ui/ConfirmProvider';
import { RefusedRows } from '../bulk/RefusedRows';
import { titleOf } from '../shared/entities';
import { removalTextsOf } from '../shared/removalTexts';
import { useLanguage } from '../shared/useLanguage';

/**
 * Result of `remove`. `not_done`: not confirmed, or failed. `refused`: the row is in use, and `refusal` is open.
 */
type Removal = 'done' | 'not_done' | 'refused';

interface DeleteRowOptions {
  entity: Entity;
  /** Whether the row's page is open; it must not request the deleted row again. */
  isPageOpen: boolean;
  /** Called when the user closes the explanation of a refusal. */
  onRefusalClosed?: () => void;
}

/**
 * Returns `remove`, which deletes a row once the user has confirmed, and whether that is in progress. `refusal` is the
 * dialog that explains a rejected deletion.
 */
export function useDeleteRow({ entity, isPageOpen, onRefusalClosed }: DeleteRowOptions) {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  const provider = useDataProvider();
  const language = useLanguage();
  const words = removalTextsOf(entity);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedRow>();
  const remove = async (record: RaRecord): Promise<Removal> => {
    const name = titleOf(entity, record, language);
    const question = {
      title: translate(words.title, { name }),
      description: translate(words.text),
      button: translate(words.label),
    };
    if (!(await confirm(question))) return 'not_done';
    setBusy(true);
    try {
      await provider.delete(entity.name, { id: record.id, previousData: record });
      notify(words.toast ?? `resources.${entity.name}.deleted`, { type: 'success' });
      await client.invalidateQueries({
        queryKey: [entity.name],
        refetchType: isPageOpen ? 'none' : 'active',
      });
      return 'done';
    } catch (error) {
      setBusy(false);
      const referringRows = usesIn(error);
      if (referringRows.length === 0) {
        notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
        return 'not_done';
      }
      setRefused({ id: Number(record.id), name, message: (error as Error).message, uses: referringRows });
      return 'refused';
    }
  };
  const closeRefusal = () => {
    setRefused(undefined);
    onRefusalClosed?.();
  };
  const refusal: ReactNode = refused && (
    <RefusedRows entity={entity} rows={[refused]} total={1} onClose={closeRefusal} />
  );
  return { remove, isBusy, refusal };
}

/** References to the row, from the body of a 409. */
const usesIn = (error: unknown): readonly UseCount[] =>
  (error instanceof HttpError && (error.body as { uses?: UseCount[] } | undefined)?.uses) || [];

import { useQueryClient } from '@tanstack/react-query';
import { HttpError, useNotify, useTranslate } from 'ra-core';
import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { maxUndoRows } from '../../../schema/shared/maxUndoRows';
import { formatNumber } from '../../i18n/format';
import type { BulkWorkResult, ProgressHandler, RefusedRow } from '../../providers/bulk';
import { lazyPage } from '../../ui/lazyPage';
import { useCountText } from '../shared/useCountText';
import { useLanguage } from '../shared/useLanguage';
import { BulkProgress } from './BulkProgress';
import { BulkResult } from './BulkResult';

const RefusedRows = lazyPage(() => import('./RefusedRows'), 'RefusedRows');

export interface BulkWork {
  send: (onProgress: ProgressHandler) => Promise<BulkWorkResult>;
  /** Text key of the result, with the value `counted`. */
  resultText: string;
  /** Entity of the rows that a rejection names; default: that of the list. */
  changedEntity?: Entity;
  /** Other entities whose lists become stale. */
  staleEntities?: readonly string[];
  /** Reverts the work. */
  undo?: (result: BulkWorkResult, onProgress: ProgressHandler) => Promise<BulkWorkResult>;
}

/**
 * Runs bulk work: shows the progress, then the result with undo, or the rejected rows. Resolves to `true` on success.
 */
export type RunBulk = (work: BulkWork) => Promise<boolean>;

/** Milliseconds before the progress appears; shorter work shows none. */
const progressDelay = 500;

/** Bulk work on the rows of a list. `element` shows the progress, the result or the rejected rows. */
export function useBulk(entity: Entity): { run: RunBulk; isBusy: boolean; element: ReactNode } {
  const notify = useNotify();
  const client = useQueryClient();
  const translate = useTranslate();
  const countText = useCountText();
  const language = useLanguage();
  const [busy, setBusy] = useState<{ count: number; total: number; stop: () => void }>();
  const [isSlow, setSlow] = useState(false);
  const [result, setResult] = useState<{ text: string; note?: string; undo?: () => void }>();
  const [refusal, setRefusal] = useState<{ entity: Entity; rows: RefusedRow[]; total: number }>();
  const isRunning = useRef(false);
  const latestResult = useRef(result);
  latestResult.current = result;
  // The same function on every render, since another one would restart the time until the result closes.
  const closeResult = useCallback(() => setResult(undefined), []);

  const run = useCallback(
    async (work: BulkWork): Promise<boolean> => {
      const { send, resultText: key, changedEntity = entity, staleEntities = [], undo } = work;
      if (isRunning.current) return false;
      isRunning.current = true;
      const controller = new AbortController();
      const stop = () => controller.abort();
      const previous = latestResult.current;
      setResult(undefined);
      setBusy({ count: 0, total: 0, stop });
      const slow = setTimeout(() => setSlow(true), progressDelay);
      try {
        const outcome = await send({
          progress: (count, total) => setBusy({ count, total, stop }),
          signal: controller.signal,
        });
        setResult({
          text: translate(key, { counted: countText(`resources.${entity.name}.counted`, outcome.count) }),
          ...(undo &&
            outcome.undo === undefined && {
              note: translate('many.too_many_to_undo', { most: formatNumber(maxUndoRows, { language }) }),
            }),
          ...(undo &&
            hasUndo(outcome) && {
              undo: () =>
                void run({
                  ...work,
                  send: (onProgress) => undo(outcome, onProgress),
                  resultText: 'many.undone',
                  undo: undefined,
                }),
            }),
        });
        for (const name of new Set([entity.name, ...staleEntities]))
          void client.invalidateQueries({ queryKey: [name] });
        return true;
      } catch (error) {
        // Shows the previous result again, so that its undo remains available.
        setResult(previous);
        if (controller.signal.aborted) return false;
        const { rows, rows_total } = (error instanceof HttpError ? (error.body ?? {}) : {}) as {
          rows?: RefusedRow[];
          rows_total?: number;
        };
        const message = error instanceof Error ? error.message : 'errors.generic';
        if (rows && rows.length > 0) setRefusal({ entity: changedEntity, rows, total: rows_total ?? rows.length });
        else notify(message, { type: 'error' });
        return false;
      } finally {
        clearTimeout(slow);
        isRunning.current = false;
        setSlow(false);
        setBusy(undefined);
      }
    },
    [entity, client, countText, language, notify, translate],
  );
  const element = (
    <>
      {busy && isSlow && <BulkProgress {...busy} />}
      {result && <BulkResult text={result.text} note={result.note} onUndo={result.undo} onClose={closeResult} />}
      {refusal && (
        <Suspense fallback={null}>
          <RefusedRows {...refusal} onClose={() => setRefusal(undefined)} />
        </Suspense>
      )}
    </>
  );
  return { run, isBusy: busy !== undefined, element };
}

/** Whether the result can be undone; false if all rows already had the new value, or if there are too many rows. */
const hasUndo = ({ undo }: BulkWorkResult): boolean => (undo?.ids ?? undo?.changes ?? []).length > 0;

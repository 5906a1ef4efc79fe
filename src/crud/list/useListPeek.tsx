import { type Identifier, useListContext } from 'ra-core';
import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { lazyPage } from '../../ui/lazyPage';

const Peek = lazyPage(() => import('../record/Peek'), 'Peek');

export interface ListPeek {
  /** The row that is open beside the list. */
  id: Identifier | undefined;
  open: (id: Identifier) => void;
  /** Closes it; false if none is open. */
  close: () => boolean;
  element: ReactNode;
}

/** The record beside the list: open until it is closed, or its row leaves the page. Rows of the bin have none. */
export function useListPeek(entity: Entity): ListPeek {
  const { data, filterValues } = useListContext();
  const [peekedId, setPeekedId] = useState<Identifier>();
  const isOff = filterValues.trashed === 'only' || !can(entity.name, 'show');
  const id = !isOff && data?.some((row) => row.id === peekedId) ? peekedId : undefined;
  const latest = useRef(id);
  latest.current = id;
  const close = useCallback(() => {
    if (latest.current === undefined) return false;
    setPeekedId(undefined);
    return true;
  }, []);
  const closeByPanel = () => {
    close();
    document.querySelector<HTMLElement>(`.sl-table tr[data-id="${id}"]`)?.focus();
  };
  return {
    id,
    open: setPeekedId,
    close,
    element: id !== undefined && (
      <Suspense fallback={null}>
        <Peek entity={entity} id={id} onClose={closeByPanel} />
      </Suspense>
    ),
  };
}

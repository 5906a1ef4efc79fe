import { type Identifier, useListContext } from 'ra-core';
import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { lazyPage } from '../../ui/lazyPage';
import type { ListPeek } from '../shared/peek';

const Peek = lazyPage(() => import('../record/Peek'), 'Peek');

/**
 * Returns the record shown beside the list as `element`, and `peek` to open and close it; `peek` is absent if the user
 * may not open records, or if the list shows soft-deleted rows. The record stays open until the user closes it or its
 * row leaves the page. With `isView` it stays even then, since layouts such as the map show rows of all pages.
 */
export function useListPeek(
  entity: Entity,
  { isView }: { isView: boolean },
): { peek: ListPeek | undefined; element: ReactNode } {
  const { data, filterValues } = useListContext();
  const [peekedId, setPeekedId] = useState<Identifier>();
  const isOff = filterValues.trashed === 'only' || !can(entity.name, 'show');
  const index = data?.findIndex((row) => row.id === peekedId) ?? -1;
  const id = !isOff && (isView || index >= 0) ? peekedId : undefined;
  const latestId = useRef(id);
  latestId.current = id;
  const close = useCallback(() => {
    if (latestId.current === undefined) return false;
    setPeekedId(undefined);
    return true;
  }, []);
  const closeByPanel = () => {
    close();
    if (id !== undefined) findElement(id)?.focus();
  };
  const stepTo = (row: { id: Identifier } | undefined) =>
    row &&
    (() => {
      setPeekedId(row.id);
      findElement(row.id)?.scrollIntoView({ block: 'nearest' });
    });
  const peek = useMemo(() => (isOff ? undefined : { id, open: setPeekedId, close }), [isOff, id, close]);
  return {
    peek,
    element: id !== undefined && (
      <Suspense fallback={null}>
        <Peek
          entity={entity}
          id={id}
          onClose={closeByPanel}
          onPrevious={isView ? undefined : stepTo(data?.[index - 1])}
          onNext={isView ? undefined : stepTo(data?.[index + 1])}
        />
      </Suspense>
    ),
  };
}

/** The focusable element of a row, in any layout of the list. */
const findElement = (id: Identifier) => document.querySelector<HTMLElement>(`.sl-list [data-id="${id}"]`);

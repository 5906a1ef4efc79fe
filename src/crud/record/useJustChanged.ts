/** Changes to a row while its page is open. */
import { useQuery } from '@tanstack/react-query';
import { type RaRecord, useTranslate } from 'ra-core';
import { createContext, useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { fetchRows } from '../../providers/rows';
import { actorName } from './fieldChange';

const orNull = (value: unknown) => (value === undefined || value === '' ? null : value);
/** Whether two values have equal JSON; `undefined` and an empty text count as `null`. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(orNull(a)) === JSON.stringify(orNull(b));

/** Milliseconds for which changed fields stay marked. */
const markDuration = 5000;

/** The writable fields that a new version of the open row has changed; each stays marked for a few seconds. */
export function useJustChanged(entity: Entity, record: RaRecord | undefined): ReadonlySet<string> {
  const last = useRef(record);
  const [changedFields, setChangedFields] = useState<ReadonlySet<string>>(noFields);
  useEffect(() => {
    const previous = last.current;
    last.current = record;
    if (!previous || !record || previous.id !== record.id || previous.version === record.version) return;
    const names = Object.keys(entity.fields).filter(
      (name) => entity.fields[name]?.write !== false && !isSameJson(previous[name], record[name]),
    );
    if (names.length > 0) setChangedFields(new Set(names));
  }, [entity, record]);
  useEffect(() => {
    if (changedFields.size === 0) return;
    const timer = setTimeout(() => setChangedFields(noFields), markDuration);
    return () => clearTimeout(timer);
  }, [changedFields]);
  return changedFields;
}

const noFields: ReadonlySet<string> = new Set();

/** Just changed fields of the open row, for its renderers. */
export const JustChanged = createContext<ReadonlySet<string>>(noFields);

/**
 * "Ada Example changed this in the meantime …" for a version of a row; omits the name for users who may not see the
 * history.
 */
export function useChangeNotice(entity: Entity, record: RaRecord): string {
  const translate = useTranslate();
  const filter = [
    { path: 'entity', values: [entity.name] },
    { path: 'record_id', values: [String(record.id)] },
    { path: 'action', values: ['create', 'edit', 'delete', 'restore'] },
  ];
  const { data } = useQuery({
    queryKey: ['audit', 'last', entity.name, record.id, record.version],
    queryFn: ({ signal }) => fetchRows('audit', { per_page: 1, filter, signal }),
    enabled: can('audit', 'list'),
    meta: { quiet: true },
  });
  const [row] = data?.data ?? [];
  return row ? translate('merge.changed_by', { name: actorName(row, translate) }) : translate('merge.changed_somebody');
}

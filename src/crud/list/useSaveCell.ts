import { useQueryClient } from '@tanstack/react-query';
import { HttpError, type Identifier, type RaRecord, useDataProvider } from 'ra-core';
import { useRef } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { relationName } from '../../../schema/dsl/relationName';
import { isSameJson } from '../record/useJustChanged';

/** Result of saving a cell: `undefined` for success, a problem, or the version that another user saved first. */
export type SaveCellResult = { problem?: string; theirs?: RaRecord } | undefined;

export interface CellValue {
  record: RaRecord;
  source: string;
  value: unknown;
  /** After a conflict, the other version, which the user has seen. */
  theirs?: RaRecord;
}

interface Page {
  data?: RaRecord[];
}

/**
 * Returns a function that saves one value of a row: it shows the value at once and reverts it if the server rejects it.
 * Saves run one after another; a second change of a row is based on the version that the first one stored. Changes by
 * others to other fields of the row do not conflict.
 */
export function useSaveCell(entity: Entity, include: readonly string[]): (cell: CellValue) => Promise<SaveCellResult> {
  const client = useQueryClient();
  const provider = useDataProvider();
  const versions = useRef(new Map<Identifier, RaRecord>());
  const lastSave = useRef<Promise<unknown>>(Promise.resolve());
  /** Values before the saves that are pending, by row and field: a rejected save returns to what is stored. */
  const storedValues = useRef(new Map<string, { values: Partial<RaRecord>; pendingCount: number }>());

  const updateCached = (id: Identifier, values: Partial<RaRecord>) =>
    client.setQueriesData<Page>(
      { queryKey: [entity.name, 'getList'] },
      (page) => page?.data && { ...page, data: page.data.map((row) => (row.id === id ? { ...row, ...values } : row)) },
    );
  const relation = (source: string) =>
    relationName(source, entity.fields[source] as NonNullable<Entity['fields'][string]>);

  const send = async ({ record, source, value, theirs }: CellValue): Promise<SaveCellResult> => {
    const latestVersion = versions.current.get(record.id);
    const base = theirs ?? (latestVersion && latestVersion.version > record.version ? latestVersion : record);
    try {
      const { data } = await provider.update(entity.name, {
        id: record.id,
        data: { [source]: value },
        previousData: base,
        meta: { include },
      });
      versions.current.set(record.id, data);
      updateCached(record.id, data);
      void client.invalidateQueries({ queryKey: [entity.name] });
      return undefined;
    } catch (error) {
      const { status, message, body } =
        error instanceof HttpError ? error : { status: 0, message: 'errors.generic', body: undefined };
      const response = (body ?? {}) as { current?: RaRecord; errors?: Record<string, string> };
      if (status === 412 && response.current) {
        const isUnrelated =
          isSameJson(response.current[source], record[source]) || isSameJson(response.current[source], value);
        if (isUnrelated) return send({ record, source, value, theirs: response.current });
        return { theirs: response.current };
      }
      return { problem: response.errors?.[source] ?? Object.values(response.errors ?? {})[0] ?? message };
    }
  };

  return ({ record, source, value, theirs }) => {
    const name = relation(source);
    const key = `${record.id} ${source}`;
    const stored = storedValues.current.get(key) ?? {
      values: { [source]: record[source], ...(name && { [name]: record[name] }) },
      pendingCount: 0,
    };
    stored.pendingCount += 1;
    storedValues.current.set(key, stored);
    // Removes the included row of the old value, so that the cell fetches the new one by id.
    updateCached(record.id, { [source]: value, ...(name && { [name]: undefined }) });
    const saving = lastSave.current.then(() => send({ record, source, value, theirs }));
    lastSave.current = saving;
    return saving.then((result) => {
      stored.pendingCount -= 1;
      if (!result)
        stored.values = { [source]: value, ...(name && { [name]: versions.current.get(record.id)?.[name] }) };
      if (stored.pendingCount > 0) return result;
      storedValues.current.delete(key);
      if (result) updateCached(record.id, stored.values);
      return result;
    });
  };
}

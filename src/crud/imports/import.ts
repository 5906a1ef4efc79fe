/** Import jobs as the API returns them, and the calls that control them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ImportColumn, ImportFacts, ImportSettings, ImportState, RowAction } from '../../../schema/shared/imports';
import { api } from '../../providers/http';

export interface ImportRow {
  row: number;
  action: RowAction;
  id: number | null;
  cells: Record<string, string>;
  errors: { column: string | null; field: string | null; message: string }[];
}

export interface Import {
  id: number;
  file_name: string;
  resource: string;
  state: ImportState;
  progress: number;
  created_at: string;
  counts: Record<RowAction, number>;
  problem: string | null;
  settings: ImportSettings;
  facts: ImportFacts | null;
  columns: ImportColumn[];
  targets: { name: string; field: string; by_name: boolean; label: string }[];
  missing: Record<string, string[]>;
  creatable: string[];
}

export interface RowsPage {
  data: ImportRow[];
  total: number;
  last_page: number;
}

const busy: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing'];
export const isBusy = ({ state }: Pick<Import, 'state'>): boolean => busy.includes(state);

/** One import; polls while the server works on it. */
export function useImport(id: string | undefined) {
  return useQuery({
    queryKey: ['imports', 'one', id],
    queryFn: async ({ signal }) => (await api<{ data: Import }>(`imports/${id}`, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? 700 : false),
    meta: { quiet: true },
  });
}

export function useImportRows(one: Import, { action, page }: { action: RowAction | undefined; page: number }) {
  const filter = action ? `&filter[action]=${action}` : '';
  return useQuery({
    queryKey: ['imports', 'rows', one.id, one.state, one.counts, action, page],
    queryFn: ({ signal }) => api<RowsPage>(`imports/${one.id}/rows?per_page=25&page=${page}${filter}`, { signal }),
    placeholderData: (before) => before,
  });
}

/** Calls of one import; each updates the cached import at once. */
export function useSteps(id: number) {
  const client = useQueryClient();
  const steer = async (step: 'check' | 'commit' | 'cancel' | 'undo', body?: Partial<ImportSettings>) => {
    const { data } = await api<{ data: Import }>(`imports/${id}/${step}`, { method: 'POST', body });
    client.setQueryData(['imports', 'one', String(id)], data);
  };
  const editCell = async (row: number, cells: Record<string, string>) => {
    await api(`imports/${id}/rows/${row}`, { method: 'PATCH', body: { cells } });
    await client.invalidateQueries({ queryKey: ['imports'] });
  };
  return { steer, editCell };
}

/** Uploads a file. Returns the id of the import. */
export async function sendFile(resource: string, file: File, settings: Record<string, string>): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(settings)) form.append(name, value);
  form.append('file', file);
  return (await api<{ data: Import }>(`${resource}/import?dry_run=1`, { method: 'POST', form })).data.id;
}

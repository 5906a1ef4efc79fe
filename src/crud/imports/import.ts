/** Import jobs as the API returns them, and the calls that control them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { EndpointResponse } from '../../../schema/endpoints';
import type { ImportSettings, ImportState, RowAction } from '../../../schema/shared/imports';
import { call } from '../../providers/call';

export type Import = EndpointResponse<'POST /imports/{id}/commit'>['data'];
export type ImportRow = EndpointResponse<'GET /imports/{id}/rows'>['data'][number];

const busyStates: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing'];
export const isBusy = ({ state }: Pick<Import, 'state'>): boolean => busyStates.includes(state);

/** One import; polls while the server works on it. */
export function useImport(id: string | undefined) {
  return useQuery({
    queryKey: ['imports', 'one', id],
    queryFn: async ({ signal }) => (await call('GET /imports/{id}', { params: { id: String(id) }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? 700 : false),
    meta: { quiet: true },
  });
}

/**
 * One page of the file's rows. The query key contains the state and counts of the import, so that the rows are fetched
 * again after every step and correction.
 */
export function useImportRows(job: Import, { action, page }: { action: RowAction | undefined; page: number }) {
  const search = `per_page=25&page=${page}${action ? `&filter[action]=${action}` : ''}`;
  return useQuery({
    queryKey: ['imports', 'rows', job.id, job.state, job.counts, action, page],
    queryFn: ({ signal }) => call('GET /imports/{id}/rows', { params: { id: job.id }, search, signal }),
    placeholderData: (previous) => previous,
  });
}

/** Calls that control one import. Each updates the cached import immediately. */
export function useImportSteps(id: number) {
  const client = useQueryClient();
  const runStep = async (step: 'check' | 'commit' | 'cancel' | 'undo', body: Partial<ImportSettings> = {}) => {
    const params = { id };
    const { data } = await (step === 'check'
      ? call('POST /imports/{id}/check', { params, body })
      : call(`POST /imports/{id}/${step}`, { params }));
    client.setQueryData(['imports', 'one', String(id)], data);
  };
  const editCell = async (row: number, cells: Record<string, string>) => {
    await call('PATCH /imports/{id}/rows/{row}', { params: { id, row }, body: { cells } });
    await client.invalidateQueries({ queryKey: ['imports'] });
  };
  return { runStep, editCell };
}

/** Uploads a file for a dry run. Returns the id of the import. */
export async function sendFile(resource: string, file: File): Promise<number> {
  const form = new FormData();
  form.append('file', file);
  const { data } = await call('POST /{resource}/import', { params: { resource }, query: { dry_run: '1' }, form });
  return data.id;
}

/** Rows of entities outside react-admin's hooks, typed by their declaration. */
import type { EntityName, Registry } from '../../schema';
import type { Row } from '../../schema/dsl/entity';
import { api } from './http';

/** @throws HttpError as `api` does */
export const fetchRow = <N extends EntityName>(resource: N, id: number): Promise<{ data: Row<Registry[N]> }> =>
  api(`${resource}/${id}`);

/** `search` is a printed list query. @throws HttpError as `api` does */
export const fetchRows = <N extends EntityName>(resource: N, search: string): Promise<{ data: Row<Registry[N]>[] }> =>
  api(`${resource}?${search}`);

/** A row to be written, before validation. */
import type { Caller } from '../../context/caller';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { CurrentRow } from './lockRows';
import type { RequestBody } from './requestBody';

export interface Draft {
  services: Services;
  tx: Queries;
  entity: ModelEntity;
  caller: Caller;
  body: RequestBody;
  /** The stored row; `undefined` for a new one. */
  current?: CurrentRow;
  /** Precognition: validate only these fields. */
  onlyFields?: readonly string[];
  /** Bulk requests: references that were found to be visible, by field and value. */
  visibleReferences?: Set<string>;
  /** Bulk requests: cache of the entity's hook `before`. */
  cache?: Map<string, unknown>;
}

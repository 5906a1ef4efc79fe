/** A row that a client wants, before it is judged. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { SentBody } from './body';
import type { CurrentRow } from './lockRows';

export interface Draft {
  services: Services;
  tx: Queries;
  entity: Entity;
  caller: Caller;
  sent: SentBody;
  /** The row as it is; `undefined` for a new one. */
  current?: CurrentRow;
  /** Precognition: judge only these fields. */
  only?: readonly string[];
  /** Bulk work: references already found visible, by field and value, so that each is looked up once. */
  seen?: Set<string>;
  /** Bulk work: what the entity's own rules found out and what holds for other rows, too. */
  known?: Map<string, unknown>;
}

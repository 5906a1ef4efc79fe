import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';

/** Whose findings, and at which moment. */
export interface FindingsRequest {
  model: EntityModel;
  caller: Caller;
  now: Date;
}

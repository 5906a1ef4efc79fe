import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';

/** The caller whose findings are read, and the present instant. */
export interface FindingsRequest {
  model: EntityModel;
  caller: Caller;
  now: Date;
}

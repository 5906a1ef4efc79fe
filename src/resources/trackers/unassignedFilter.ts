import type { Filters } from '../../providers/filters';

/** Unassigned trackers that have sent messages. */
export const unassignedFilter: Filters = { assigned: false, messages: '>0' };

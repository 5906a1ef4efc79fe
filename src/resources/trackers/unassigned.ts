import type { Filters } from '../../providers/filter';

/** Unassigned trackers that have sent messages. */
export const isWaiting: Filters = { assigned: false, messages: '>0' };

import type { Filters } from '../../providers/filter';

/** Trackers that have sent something and are on no machine. */
export const isWaiting: Filters = { assigned: false, messages: '>0' };

/** The cleaning calendar compares cleaned and planned area per site and day. */
import type { cleaningPlans } from '../entities/locations';

/** States of a site day. `planned`: today or later, not yet decided. A day without plan and cleaning has no state. */
export const siteDayStates = ['cleaned', 'partly', 'missed', 'planned'] as const;
export type SiteDayState = (typeof siteDayStates)[number];

/** Share of its planned area from which a site counts as cleaned. */
export const cleanedShare = 0.9;
/** Minimum seconds of cleaning that count. */
export const minCleaning = 600;
/** Maximum days per response. */
export const maxCalendarDays = 62;

/** ISO weekdays (Monday is 1) of each cleaning plan. */
export const plannedDays: Record<(typeof cleaningPlans)[number], readonly number[]> = {
  none: [],
  daily: [1, 2, 3, 4, 5, 6, 7],
  monday_to_saturday: [1, 2, 3, 4, 5, 6],
  monday_to_friday: [1, 2, 3, 4, 5],
};

/** The cleaning calendar: cleaned against planned area, per site and day. */
import type { cleaningPlans } from '../entities/locations';

/** `planned`: today or later, not yet decided. A day without plan and cleaning has no state. */
export const siteDayStates = ['cleaned', 'partly', 'missed', 'planned'] as const;
export type SiteDayState = (typeof siteDayStates)[number];

/** A site counts as cleaned from this share of its planned area. */
export const cleanedShare = 0.9;
/** Shorter cleaning, in seconds, does not count. */
export const minCleaning = 600;
/** Maximum number of days per response. */
export const maxCalendarDays = 62;

/** ISO weekdays (Monday is 1) of each plan. */
export const plannedDays: Record<(typeof cleaningPlans)[number], readonly number[]> = {
  none: [],
  daily: [1, 2, 3, 4, 5, 6, 7],
  monday_to_saturday: [1, 2, 3, 4, 5, 6],
  monday_to_friday: [1, 2, 3, 4, 5],
};

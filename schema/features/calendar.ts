/** The cleaning calendar: per site and day what was cleaned against what was planned. */
import type { cleaningPlans } from '../entities/locations';

/** `planned`: today or later, nothing judged yet. A day without a plan and without cleaning has no state. */
export const siteDayStates = ['cleaned', 'partly', 'missed', 'planned'] as const;
export type SiteDayState = (typeof siteDayStates)[number];

/** Share of the planned area from which a site counts as cleaned. */
export const cleanedShare = 0.9;
/** Seconds of cleaning that count as cleaning at all. */
export const leastCleaning = 600;
/** Most days of one answer. */
export const mostCalendarDays = 62;

/** ISO week days (Monday is 1) on which a plan has the site cleaned. */
export const plannedDays: Record<(typeof cleaningPlans)[number], readonly number[]> = {
  none: [],
  daily: [1, 2, 3, 4, 5, 6, 7],
  monday_to_saturday: [1, 2, 3, 4, 5, 6],
  monday_to_friday: [1, 2, 3, 4, 5],
};

export interface SiteDay {
  /** `YYYY-MM-DD`, a local day of the site. */
  day: string;
  state: SiteDayState | null;
  area_m2: number;
  /** Seconds. */
  cleaning: number;
}

/** A row of `GET /locations/calendar`. */
export interface SiteCalendar {
  id: number;
  name: string;
  city: string;
  /**
   * What is to be cleaned on the last of the days: set by hand, or the working areas of the deployed machines together;
   * 0 when neither is known.
   */
  planned_area_m2: number;
  days: SiteDay[];
}

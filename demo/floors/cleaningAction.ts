/** VDA 5050 action type for cleaning, as the robots of the demo report it. */
export const cleaningAction = 'startScrubbing';

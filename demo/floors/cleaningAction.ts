/** The action by which robots of the demo that speak VDA 5050 clean. */
export const cleaningAction = 'startScrubbing';

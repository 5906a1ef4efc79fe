/** VDA 5050 action type with which robots of the demo clean. */
export const cleaningAction = 'startScrubbing';

/** Work on many rows at once. */

/** Rows whose work can be taken back: their former values have to fit into a request. */
export const mostUndone = 2000;

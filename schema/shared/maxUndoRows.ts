/** Limits of bulk work. */

/** Maximum number of rows that undo covers: their former values must fit into one request. */
export const maxUndoRows = 2000;

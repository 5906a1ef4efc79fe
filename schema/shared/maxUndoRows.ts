/** Maximum rows that undo covers, because their former values must fit into one request. */
export const maxUndoRows = 2000;

/** The record that is open beside its list, in any layout of the list. */
import type { Identifier } from 'ra-core';
import { createContext, useContext } from 'react';

export interface ListPeek {
  /** The row that is open beside the list. */
  id: Identifier | undefined;
  open: (id: Identifier) => void;
  /** Closes it; false if none is open. */
  close: () => boolean;
}

/** `undefined` outside of lists, and where the user may not open a row. */
export const PeekContext = createContext<ListPeek | undefined>(undefined);
export const usePeek = (): ListPeek | undefined => useContext(PeekContext);

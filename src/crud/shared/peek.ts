/** The record that is open beside a list, in any layout. */
import type { Identifier } from 'ra-core';
import { createContext, useContext } from 'react';

export interface ListPeek {
  /** The row that is open. */
  id: Identifier | undefined;
  open: (id: Identifier) => void;
  /** Closes the row; false if none is open. */
  close: () => boolean;
}

/** `undefined` outside of lists, and if the user may not open rows. */
export const PeekContext = createContext<ListPeek | undefined>(undefined);
export const usePeek = (): ListPeek | undefined => useContext(PeekContext);

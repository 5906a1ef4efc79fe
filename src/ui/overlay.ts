import { createStore, useStoreValue } from '../providers/createStore';
import { session } from '../providers/session';

/** The overlay above the page: the search, the sheet of shortcuts, or none. */
export type OverlayName = 'search' | 'keys' | undefined;

const overlay = createStore<OverlayName>(undefined);

/** Opens an overlay; `undefined` closes the open one. */
export const openOverlay = (name: OverlayName): void => overlay.set(name);

export const useOverlay = (): OverlayName => useStoreValue(overlay);

// Closes the overlay when another user logs in or the session ends.
let { t: token } = session.get();
session.subscribe(() => {
  const { t } = session.get();
  if (t !== token) openOverlay(undefined);
  token = t;
});

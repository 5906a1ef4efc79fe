import type { ReactNode } from 'react';

/**
 * Custom pages of an installation: `<Route>` elements drawn inside the layout for logged-in users. Load each by
 * `lazyPage`, so that the first load does not grow. Recipe: examples/stock-page.
 */
export const customPages: ReactNode = null;

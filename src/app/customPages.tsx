import type { ReactNode } from 'react';

/**
 * Pages of an installation's own: `<Route>` elements drawn inside the layout, for whoever is logged in. Load each by
 * `lazyPage`, so that the first page does not grow. Recipe: examples/stock-page.
 */
export const customPages: ReactNode = null;

/** Content for `src/app/customPages.tsx`. The pages and Material UI load when one of the pages is opened. */
import { Route } from 'react-router-dom';
import { lazyPage } from '../../src/ui/lazyPage';

const StockList = lazyPage(() => import('./StockPages'), 'StockList');
const StockEdit = lazyPage(() => import('./StockPages'), 'StockEdit');
const StockCreate = lazyPage(() => import('./StockPages'), 'StockCreate');

export const customPages = (
  <>
    <Route path="/stock/fleets" element={<StockList />} />
    <Route path="/stock/fleets/create" element={<StockCreate />} />
    <Route path="/stock/fleets/:id" element={<StockEdit />} />
  </>
);

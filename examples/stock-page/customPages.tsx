/** What stands in `src/app/customPages.tsx` to mount the example; loaded when opened, and Material UI with it. */
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

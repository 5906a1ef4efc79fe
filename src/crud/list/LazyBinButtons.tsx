import { type ComponentProps, Suspense } from 'react';
import { lazyPage } from '../../ui/lazyPage';

const BinButtons = lazyPage(() => import('./BinButtons'), 'BinButtons');

/** The buttons of a row of the bin, loaded with the first of them. */
export const LazyBinButtons = (props: ComponentProps<typeof BinButtons>) => (
  <Suspense fallback={null}>
    <BinButtons {...props} />
  </Suspense>
);

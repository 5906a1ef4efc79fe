import { type ComponentProps, Suspense } from 'react';
import { lazyPage } from '../../ui/lazyPage';

const BinButtons = lazyPage(() => import('./BinButtons'), 'BinButtons');

/** `BinButtons`, loaded on first use. */
export const LazyBinButtons = (props: ComponentProps<typeof BinButtons>) => (
  <Suspense fallback={null}>
    <BinButtons {...props} />
  </Suspense>
);

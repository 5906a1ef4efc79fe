import { Suspense } from 'react';
import { lazyPage } from './lazyPage';
import type { ModalProps } from './ModalDialog';

const ModalDialog = lazyPage(() => import('./ModalDialog'), 'ModalDialog');

/**
 * A dialog above the page: focus stays inside and returns afterwards, Escape and a click outside close it. Its content
 * is mounted later than the component that renders it, so effects that look for elements of the content belong into it.
 */
export const Modal = (props: ModalProps) => (
  <Suspense fallback={null}>
    <ModalDialog {...props} />
  </Suspense>
);

import { Suspense } from 'react';
import { lazyPage } from './lazyPage';
import type { ModalProps } from './ModalDialog';

const ModalDialog = lazyPage(() => import('./ModalDialog'), 'ModalDialog');

/**
 * A modal dialog. Traps and returns the focus; Escape and a click outside close it. Its content mounts after the
 * component that renders it, so effects on elements of the content belong in the content.
 */
export const Modal = (props: ModalProps) => (
  <Suspense fallback={null}>
    <ModalDialog {...props} />
  </Suspense>
);

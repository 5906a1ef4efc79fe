import { Suspense, useState } from 'react';
import { lazyPage } from './lazyPage';
import type { PanelDialogProps } from './PanelDialog';

const PanelDialog = lazyPage(() => import('./PanelDialog'), 'PanelDialog');

/** A full-screen panel that slides in within 0.55 s and out within 0.2 s. Traps the focus; Escape closes it. */
export const Panel = (props: PanelDialogProps) => {
  const [wasOpened, setWasOpened] = useState(props.open);
  if (props.open && !wasOpened) setWasOpened(true);
  return <Suspense fallback={null}>{wasOpened && <PanelDialog {...props} />}</Suspense>;
};

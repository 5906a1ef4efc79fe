import './planBox.css';
import { type ReactNode, Suspense } from 'react';
import { LoadingNotice } from '../../ui/LoadingNotice';

/** Reserves the height of a lazily loaded plan, so that nothing below it moves. Must not import Leaflet. */
export const PlanBox = ({ children }: { children: ReactNode }) => (
  <div className="sl-plan-box">
    <Suspense fallback={<LoadingNotice what="data" />}>{children}</Suspense>
  </div>
);

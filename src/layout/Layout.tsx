import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { LoadingNotice } from '../ui/LoadingNotice';
import { lazyPage } from '../ui/lazyPage';
import { OverlayLoader } from '../ui/OverlayLoader';
import { UnreachableBanner } from '../ui/UnreachableBanner';
import { useIsMobile } from '../ui/useIsMobile';
import { Breadcrumbs } from './Breadcrumbs';
import { Header } from './Header';
import { Keyboard } from './Keyboard';
import { MobileHeader } from './MobileHeader';
import { Sidebar } from './Sidebar';
import { TitleSlot } from './TitleSlot';
import { useScrollAndFocusReset } from './useScrollAndFocusReset';
import { ViewBanner } from './ViewBanner';

const OutboxBar = lazyPage(() => import('./OutboxBar'), 'OutboxBar');
/** Milliseconds before the outbox loads, so that the content of the page comes first. */
const outboxDelay = 2500;

/** The frame of every page of a logged-in user. */
export const Layout = ({ children }: { children: ReactNode }) => {
  const translate = useTranslate();
  const isMobile = useIsMobile();
  const { pathname } = useLocation();
  const content = useRef<HTMLElement>(null);
  useScrollAndFocusReset(content);
  return (
    <div className="sl-frame" data-mobile={isMobile}>
      <a className="sl-skip" href="#content">
        {translate('ra.navigation.skip_nav')}
      </a>
      <div className="sl-bar" />
      {isMobile ? <MobileHeader /> : <Sidebar />}
      <div className="sl-column">
        <ViewBanner />
        {isMobile ? <Breadcrumbs /> : <Header />}
        <main ref={content} id="content" className="sl-content" tabIndex={-1}>
          <UnreachableBanner />
          <LateOutbox />
          <TitleSlot />
          <ErrorBoundary key={rowOf(pathname)} resetKey={pathname}>
            <Suspense fallback={<LoadingNotice what="data" />}>
              {children}
              <OverlayLoader />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <Keyboard />
    </div>
  );
};

function LateOutbox() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), outboxDelay);
    return () => clearTimeout(timer);
  }, []);
  return (
    isShown && (
      <Suspense fallback={null}>
        <OutboxBar />
      </Suspense>
    )
  );
}

/** Tabs of one row count as one page: switching between them keeps the focus and what the page has loaded. */
const rowOf = (pathname: string) => pathname.split('/').slice(0, 3).join('/');

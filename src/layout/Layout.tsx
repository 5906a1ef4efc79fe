import { type ReactNode, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { Breadcrumbs } from './Breadcrumbs';
import { ErrorArea } from './ErrorArea';
import { Header } from './Header';
import { LoadingNotice } from './LoadingNotice';
import { MobileHeader } from './MobileHeader';
import { Sidebar } from './Sidebar';
import { useIsMobile } from './window';

/** What surrounds every page of a logged-in user. */
export const Layout = ({ children }: { children: ReactNode }) => {
  const translate = useTranslate();
  const isMobile = useIsMobile();
  const { pathname } = useLocation();
  return (
    <div className="sl-frame" data-mobile={isMobile}>
      <a className="sl-skip" href="#content">
        {translate('ra.navigation.skip_nav')}
      </a>
      <div className="sl-bar" />
      {isMobile ? <MobileHeader /> : <Sidebar />}
      <div className="sl-column">
        {isMobile ? <Breadcrumbs /> : <Header />}
        <main id="content" className="sl-content" tabIndex={-1}>
          <ErrorArea key={pathname}>
            <Suspense fallback={<LoadingNotice what="data" />}>{children}</Suspense>
          </ErrorArea>
        </main>
      </div>
    </div>
  );
};

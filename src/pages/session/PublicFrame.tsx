import { type ReactNode, Suspense } from 'react';
import { LanguagePicker } from '../../layout/LanguagePicker';
import { ThemeToggle } from '../../layout/ThemeToggle';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { Logo } from '../../ui/Logo';
import { UnreachableBanner } from '../../ui/UnreachableBanner';

/** Frame of pages that need no session, such as the login: product name, language and theme. */
export const PublicFrame = ({ children }: { children: ReactNode }) => (
  <div className="sl-session">
    <div className="sl-bar" />
    <header className="sl-session-top">
      <Logo />
      <div className="sl-header-tools">
        <LanguagePicker />
        <ThemeToggle />
      </div>
    </header>
    <main className="sl-session-main">
      <UnreachableBanner />
      <ErrorBoundary>
        <Suspense fallback={<LoadingNotice what="data" />}>{children}</Suspense>
      </ErrorBoundary>
    </main>
  </div>
);

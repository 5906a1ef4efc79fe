import { type ReactNode, Suspense } from 'react';
import { ErrorArea } from '../layout/ErrorArea';
import { LanguagePicker } from '../layout/LanguagePicker';
import { LoadingNotice } from '../layout/LoadingNotice';
import { Logo } from '../layout/Logo';
import { ThemeToggle } from '../layout/ThemeToggle';

/** What surrounds the pages of those not logged in: the product's name, language and theme. */
export const Bare = ({ children }: { children: ReactNode }) => (
  <div className="sl-bare">
    <div className="sl-bar" />
    <header className="sl-bare-top">
      <Logo />
      <div className="sl-header-tools">
        <LanguagePicker />
        <ThemeToggle />
      </div>
    </header>
    <main className="sl-bare-main">
      <ErrorArea>
        <Suspense fallback={<LoadingNotice what="data" />}>{children}</Suspense>
      </ErrorArea>
    </main>
  </div>
);

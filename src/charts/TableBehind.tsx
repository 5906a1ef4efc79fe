import './charts.css';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

/** Collapsed table of a drawing's figures, also for users who cannot see the drawing. */
export function TableBehind({ title, children }: { title: string; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <details>
      <summary>{translate('charts.show_table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="sl-behind" aria-label={title} tabIndex={0}>
        {children}
      </section>
    </details>
  );
}

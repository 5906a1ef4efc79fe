import './charts.css';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { ChartName } from './chartPages';

interface ChartFrameProps {
  name: ChartName;
  /** Name of the table. */
  title: string;
  /** The same figures as a table. As a function: rendered only while open, for long tables. */
  table: ReactNode | (() => ReactNode);
  className?: string;
  children: ReactNode;
}

/**
 * The frame of every chart: what it draws, and a collapsed table of the same figures, for exact values and for users
 * who cannot see the chart.
 */
export function ChartFrame({ name, title, table, className = '', children }: ChartFrameProps) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  return (
    <figure className={`sl-charted ${className}`} data-chart={name}>
      {children}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {translate('charts.show_table')}
          <span className="sl-hidden">: {title}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section className="sl-behind" aria-label={title} tabIndex={0}>
          {typeof table === 'function' ? isOpen && table() : table}
        </section>
      </details>
    </figure>
  );
}

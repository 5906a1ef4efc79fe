import './charts.css';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { ChartName } from './chartPages';

interface ChartFrameProps {
  name: ChartName;
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
  const label = `${translate('charts.show_table')}: ${title}`;
  return (
    <figure className={`sl-charted ${className}`} data-chart={name}>
      {children}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary aria-label={label}>{translate('charts.show_table')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section className="sl-behind" aria-label={label} tabIndex={0}>
          {typeof table === 'function' ? isOpen && table() : table}
        </section>
      </details>
    </figure>
  );
}

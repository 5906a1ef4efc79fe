import './charts.css';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';

interface TableBehindProps {
  title: string;
  /** As a function: rendered only while open, for long tables. */
  children: ReactNode | (() => ReactNode);
}

/** Collapsed table of a chart's figures, for exact values and for users who cannot see the chart. */
export function TableBehind({ title, children }: TableBehindProps) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{translate('charts.show_table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="sl-behind" aria-label={title} tabIndex={0}>
        {typeof children === 'function' ? isOpen && children() : children}
      </section>
    </details>
  );
}

import './charts.css';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';

interface TableBehindProps {
  title: string;
  /** A function renders a long table only once it is opened. */
  children: ReactNode | (() => ReactNode);
}

/** Collapsed table of a drawing's figures, also for users who cannot see the drawing. */
export function TableBehind({ title, children }: TableBehindProps) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{translate('charts.show_table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="sl-behind" aria-label={title} tabIndex={0}>
        {typeof children === 'function' ? isOpen && children() : children}
      </section>
    </details>
  );
}

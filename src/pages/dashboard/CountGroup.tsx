import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { FigureTile } from './FigureTile';

interface Count {
  name: string;
  label: string;
  /** Note below the count. */
  note?: string | undefined;
  /** `undefined` while loading. */
  value: number | undefined;
  /** Path of the list behind the count; absent if there is none. */
  to?: string | undefined;
  /** Whether somebody has to act while the count is above zero. */
  urgent?: boolean;
}

interface CountGroupProps {
  title: string;
  /** What is counted; hidden if every count is zero. */
  note?: ReactNode;
  counts: readonly Count[];
}

/** Counts below one heading. Counts of zero share one line, since they need no action. */
export const CountGroup = ({ title, note, counts }: CountGroupProps) => {
  const language = useLanguage();
  const id = useId();
  const number = (value: number) => formatNumber(value, { language });
  const zeros = counts.filter(({ value }) => value === 0);
  const nonZeroCounts = counts.filter(({ value }) => value !== 0);
  return (
    <section className="sl-figures-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note && nonZeroCounts.length > 0 && <p className="sl-figure-note">{note}</p>}
      {nonZeroCounts.length > 0 && (
        <ul className="sl-figures" data-wide="true">
          {nonZeroCounts.map(({ name, label, note, value, to, urgent = false }) => (
            <FigureTile
              key={name}
              label={label}
              note={note}
              value={value === undefined ? undefined : number(value)}
              to={to}
              urgent={urgent && value !== undefined}
            />
          ))}
        </ul>
      )}
      {zeros.length > 0 && (
        <ul className="sl-figures-none">
          {zeros.map(({ name, label, note, to }) => {
            const text = (
              <>
                {label} <b>{number(0)}</b>
              </>
            );
            return (
              <li key={name} title={note}>
                {to === undefined ? <span>{text}</span> : <Link to={to}>{text}</Link>}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
};

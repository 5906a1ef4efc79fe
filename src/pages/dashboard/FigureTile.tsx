import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { FilteredList } from '../../../schema/features/dashboard';

interface FigureTileProps {
  label: ReactNode;
  /** Note below the figure. */
  note?: string | undefined;
  /** Formatted value without its unit; `undefined` while loading. */
  value: string | undefined;
  unit?: string | undefined;
  /** Path of the list behind the figure; absent if there is none. */
  to?: string | undefined;
  /** Whether somebody has to act. */
  urgent?: boolean;
}

/** A key figure with a link to the list behind it. */
export const FigureTile = ({ label, note, value, unit, to, urgent = false }: FigureTileProps) => {
  const content = (
    <>
      <span className="sl-figure-label">{label}</span>
      <FigureValue value={value} unit={unit} />
      {note && <span className="sl-figure-note">{note}</span>}
    </>
  );
  return (
    <li>
      {to === undefined ? (
        <div className="sl-figure">{content}</div>
      ) : (
        <Link to={to} className="sl-figure" data-urgent={urgent}>
          {content}
        </Link>
      )}
    </li>
  );
};

/** A key figure, with its unit set smaller; a dash without a value. */
export const FigureValue = ({ value = '–', unit }: { value: string | undefined; unit?: string | undefined }) => (
  <span className="sl-figure-value">
    {value}
    {unit && value !== '–' && <span className="sl-figure-unit">{`\u00a0${unit}`}</span>}
  </span>
);

/** Path of a list with filter and sort. */
export function filteredListPath({ resource, filter, sort }: FilteredList): string {
  const search = new URLSearchParams({
    filter: JSON.stringify(filter),
    page: '1',
    ...(sort && { sort, order: 'ASC' }),
  });
  return `/${resource}?${search}`;
}

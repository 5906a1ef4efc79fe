import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Proof } from '../../../schema/features/dashboard';

interface FigureTileProps {
  label: ReactNode;
  /** What exactly is counted. */
  note?: string;
  /** As it is read; `undefined` while it is loaded. */
  value: string | undefined;
  unit?: string;
  /** The page that shows what stands behind it. */
  to: string;
  /** Something is to be done about it. */
  urgent?: boolean;
}

/** A key figure, linked to what proves it. */
export const FigureTile = ({ label, note, value, unit, to, urgent = false }: FigureTileProps) => (
  <li>
    <Link to={to} className="sl-figure" data-urgent={urgent}>
      <span className="sl-figure-label">{label}</span>
      <span className="sl-figure-value">
        {value ?? '–'}
        {unit && value && <span className="sl-figure-unit">{unit}</span>}
      </span>
      {note && <span className="sl-figure-note">{note}</span>}
    </Link>
  </li>
);

/** The address of a list with its filter and order. */
export function proofPath({ resource, filter, sort }: Proof): string {
  const search = new URLSearchParams({
    filter: JSON.stringify(filter),
    page: '1',
    ...(sort && { sort, order: 'ASC' }),
  });
  return `/${resource}?${search}`;
}

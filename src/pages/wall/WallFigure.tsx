import type { ReactNode } from 'react';

interface WallFigureProps {
  label: ReactNode;
  /** The value as text; `undefined` while loading. */
  value: string | undefined;
  unit?: string;
  note?: ReactNode;
  /** Whether somebody has to act. */
  isUrgent?: boolean;
}

/** A figure with its label, large enough to read across a room. */
export const WallFigure = ({ label, value, unit, note, isUrgent = false }: WallFigureProps) => (
  <div className="sl-wall__figure" data-urgent={isUrgent}>
    <p className="sl-wall__label">{label}</p>
    <p className="sl-wall__value">
      {value ?? '–'}
      {unit && value && <small> {unit}</small>}
    </p>
    {note && <p className="sl-wall__note">{note}</p>}
  </div>
);

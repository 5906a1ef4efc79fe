import type { ReactNode } from 'react';

interface WallFigureProps {
  label: ReactNode;
  /** Printed; `undefined` while loading. */
  value: string | undefined;
  unit?: string;
  note?: ReactNode;
  /** Needs a person. */
  isUrgent?: boolean;
}

/** A figure that is read from across the room. */
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

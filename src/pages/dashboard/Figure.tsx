import type { ReactNode } from 'react';
import { useLocale } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Proof } from '../../../schema/dashboard';
import { isLanguage } from '../../../schema/texts/types';
import { formatNumber } from '../../i18n/format';

interface FigureProps {
  label: ReactNode;
  /** What exactly is counted. */
  note?: string;
  /** `undefined` while it is loaded. */
  value: number | undefined;
  proof: Proof;
}

/** A key figure, linked to the list of what it counts. */
export const Figure = ({ label, note, value, proof }: FigureProps) => {
  const locale = useLocale();
  return (
    <li>
      <Link to={listPath(proof)} className="sl-figure">
        <span className="sl-figure-label">{label}</span>
        <span className="sl-figure-value">{value === undefined ? '–' : formatNumber(value, { language: isLanguage(locale) ? locale : 'en' })}</span>
        {note && <span className="sl-figure-note">{note}</span>}
      </Link>
    </li>
  );
};

/** The address of a list with its filter and order. */
export function listPath({ resource, filter, sort }: Proof): string {
  const search = new URLSearchParams({ filter: JSON.stringify(filter), page: '1', ...(sort && { sort, order: 'ASC' }) });
  return `/${resource}?${search}`;
}

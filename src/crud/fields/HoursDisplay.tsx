import './hours.css';
import { useTranslate } from 'ra-core';
import { groupDays, type Hours, hoursText } from '../../../schema/dsl/hours';
import { formatDate } from '../../i18n/format';
import { formatOpenSpans } from '../shared/formatOpenSpans';
import { dayNames } from './dayNames';
import type { DisplayProps } from './renderers';

/**
 * Opening hours: weekdays grouped by equal hours, holidays, exceptions and note. Plain text in cells and for values in
 * the former format.
 */
export const HoursDisplay = ({ value, cell, language }: DisplayProps) => {
  const translate = useTranslate();
  const text = hoursText(value);
  if (cell || typeof value === 'string') return <span title={text.length > 24 ? text : undefined}>{text}</span>;
  const { week, holidays, exceptions, note } = value as Hours;
  const names = dayNames(language, 'short');
  const lines = [
    ...(week ? groupDays(week) : []).map(({ runs, day }) => ({
      key: runs.map(([first, last]) => (first === last ? names[first] : `${names[first]}–${names[last]}`)).join(', '),
      spans: week?.[day] ?? [],
    })),
    ...(holidays ? [{ key: translate('hours.holidays'), spans: holidays }] : []),
    ...exceptions.map(({ from, to, spans }) => ({
      key: from === to ? formatDate(from) : `${formatDate(from)}–${formatDate(to)}`,
      spans,
    })),
  ];
  return (
    <div className="sl-hours">
      <dl>
        {lines.map(({ key, spans }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their position
          <div key={index}>
            <dt>{key}</dt>
            <dd>{formatOpenSpans(spans, translate)}</dd>
          </div>
        ))}
      </dl>
      {note && <p>{note}</p>}
    </div>
  );
};

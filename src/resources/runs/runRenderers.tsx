/** Renderers of runs: percentages, interruptions and a link to the run that superseded this one. */
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Interruption } from '../../../schema/dsl/shapes';
import type { DisplayProps } from '../../crud/fields/renderers';
import { usePathOf } from '../../crud/shared/paths';
import { formatDuration, formatPercent } from '../../i18n/format';
import { RelativeTime } from '../../ui/RelativeTime';
import { interruptionReason } from './interruptionReason';

export const runRenderers = {
  coverage: ({ value, language }: DisplayProps) => <Share value={Number(value)} language={language} />,
  consumables: ({ value, language }: DisplayProps) => (
    <ul className="sl-records">
      {Object.entries(value as Record<string, number>).map(([consumable, share]) => (
        <li key={consumable}>
          <span>{consumable}</span>
          <Share value={share} language={language} />
        </li>
      ))}
    </ul>
  ),
  interruptions: ({ value, language }: DisplayProps) => (
    <Interruptions interruptions={value as Interruption[]} language={language} />
  ),
  superseded_by: ({ value }: DisplayProps) => <OtherRun id={Number(value)} />,
};

/** A share as a percentage, to a tenth: `75%`, `97.4%`. */
const Share = ({ value, language }: { value: number } & Pick<DisplayProps, 'language'>) => (
  <span className="sl-numeral">{formatPercent(Math.round(value * 1000) / 10, { language })}</span>
);

function Interruptions({
  interruptions,
  language,
}: { interruptions: readonly Interruption[] } & Pick<DisplayProps, 'language'>) {
  const translate = useTranslate();
  return (
    <ul className="sl-records">
      {interruptions.map(({ at, reason, resolved_at: until }) => (
        <li key={`${at} ${reason}`}>
          <RelativeTime value={at} />
          {reason && <span>{interruptionReason(reason, translate)}</span>}
          {until && (
            <span className="sl-numeral">{formatDuration((Date.parse(until) - Date.parse(at)) / 1000, language)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function OtherRun({ id }: { id: number }) {
  const pathOf = usePathOf();
  return <Link to={pathOf('runs', id)}>{id}</Link>;
}

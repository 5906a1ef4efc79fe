/** Renderers of runs: percentages, interruptions and a link to the run that superseded this one. */
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Interruption } from '../../../schema/dsl/shapes';
import type { DisplayProps } from '../../crud/fields/renderers';
import { usePathOf } from '../../crud/shared/paths';
import { formatDuration, formatNumber } from '../../i18n/format';
import { RelativeTime } from '../../ui/RelativeTime';

export const runRenderers = {
  coverage: ({ value, language }: DisplayProps) => <Share value={Number(value)} language={language} />,
  consumables: ({ value, language }: DisplayProps) => (
    <ul className="sl-records">
      {Object.entries(value as Record<string, number>).map(([part, share]) => (
        <li key={part}>
          <span>{part}</span>
          <Share value={share} language={language} />
        </li>
      ))}
    </ul>
  ),
  interruptions: ({ value, language }: DisplayProps) => (
    <ul className="sl-records">
      {(value as Interruption[]).map((interruption) => (
        <li key={`${interruption.at} ${interruption.reason}`}>
          <RelativeTime value={interruption.at} />
          {interruption.reason && <span>{interruption.reason}</span>}
          {interruption.resolved_at && (
            <span className="sl-numeral">
              {formatDuration((Date.parse(interruption.resolved_at) - Date.parse(interruption.at)) / 1000, language)}
            </span>
          )}
        </li>
      ))}
    </ul>
  ),
  superseded_by: ({ value }: DisplayProps) => <OtherRun id={Number(value)} />,
};

const Share = ({ value, language }: { value: number } & Pick<DisplayProps, 'language'>) => {
  const translate = useTranslate();
  const percent = formatNumber(value * 100, { language });
  return (
    <span className="sl-numeral">
      {percent} {translate('units.percent')}
    </span>
  );
};

function OtherRun({ id }: { id: number }) {
  const pathOf = usePathOf();
  return <Link to={pathOf('runs', id)}>{id}</Link>;
}

import './planBox.css';
import { useTranslate } from 'react-admin';
import { zoneKinds } from '../../../schema/entities/zones';
import type { PlanZone } from './planPlaces';
import { ZoneSwatch } from './ZonePatterns';

const coverageNames = ['covered', 'often', 'missed'] as const;

/** Legend of the colours and patterns of zones and coverage. */
export function PlanLegend({ zones, hasCoverage }: { zones: readonly PlanZone[]; hasCoverage: boolean }) {
  const translate = useTranslate();
  const kinds = zoneKinds.filter((kind) => zones.some((zone) => zone.kind === kind));
  if (kinds.length === 0 && !hasCoverage) return null;
  return (
    <ul className="sl-plan-legend">
      {kinds.map((kind) => (
        <li key={kind}>
          <ZoneSwatch kind={kind} />
          {translate(`resources.zones.choices.kind.${kind}`)}
        </li>
      ))}
      {hasCoverage &&
        coverageNames.map((name) => (
          <li key={name}>
            <i className="sl-coverage-swatch" data-name={name} />
            {translate(`plan.${name}`)}
          </li>
        ))}
    </ul>
  );
}

import './planBox.css';
import { useTranslate } from 'react-admin';
import { heatMapSteps } from '../../../schema/dsl/heatMapSteps';
import { zoneKinds } from '../../../schema/entities/zones';
import type { PlanZone } from './planPlaces';
import { ZoneSwatch } from './ZonePatterns';

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
      {hasCoverage && (
        <>
          <li>{translate('plan.covered')}:</li>
          {heatMapSteps.map((from, index) => (
            <li key={from}>
              <i className="sl-coverage-swatch" data-step={from} />
              {printStep(from, heatMapSteps[index + 1])}
            </li>
          ))}
          <li>
            <i className="sl-coverage-swatch" data-step="missed" />
            {translate('plan.missed')}
          </li>
        </>
      )}
    </ul>
  );
}

/** `2×`, `3–4×`, `≥ 10×`. */
const printStep = (from: number, next: number | undefined): string =>
  next === undefined ? `≥ ${from}×` : next === from + 1 ? `${from}×` : `${from}–${next - 1}×`;

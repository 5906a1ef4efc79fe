import '../../map/mapview.css';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import type { Interruption } from '../../../schema/dsl/shapes';
import type { RunCoverage } from '../../../schema/endpoints/floors';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDateTime } from '../../i18n/format';
import { PlanBox } from '../../map/plan/PlanBox';
import { PlanLegend } from '../../map/plan/PlanLegend';
import type { PlanFloor, PlanZone } from '../../map/plan/planPlaces';
import { type RunPath, runPositionAt } from '../../map/plan/runPath';
import { useReplay } from '../../map/useReplay';
import { lazyPage } from '../../ui/lazyPage';
import { formatInterruption } from './formatInterruption';
import { InterruptionList } from './InterruptionList';
import { ReplayStatus } from './ReplayStatus';
import { ReplayStrip } from './ReplayStrip';
import type { RunRow } from './runRow';

const RunPlan = lazyPage(() => import('../../map/plan/RunPlan'), 'RunPlan');

interface Props {
  run: RunRow;
  coverage: RunCoverage;
  path: RunPath;
  plan: { floor: PlanFloor; zones: PlanZone[] };
}

/** Number of arrow-key steps from one end of the slider to the other. */
const steps = 500;

/** The plan of a run with a slider for the replay; both mark the interruptions. */
export function RunReplay({ run, coverage, path, plan: { floor, zones } }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const [start, end] = [Date.parse(run.started_at), Date.parse(run.ended_at)];
  const { moment, setMoment, isPlaying, toggle } = useReplay(start, end);
  const interruptions = useMemo(
    () =>
      ((run.interruptions as Interruption[] | null) ?? []).map((interruption) => ({
        at: Date.parse(interruption.at),
        text: formatInterruption(interruption, { language, translate }),
      })),
    [run.interruptions, language, translate],
  );
  const position = runPositionAt(path, moment);
  const canReplay = path.positions.length > 1 && end > start;
  return (
    <>
      <PlanBox>
        <RunPlan
          label={translate('plan.of_run', { name: floor.name })}
          {...{ floor, zones, coverage, path, interruptions, position }}
          onSeek={setMoment}
        />
      </PlanBox>
      <PlanLegend zones={zones} hasCoverage={coverage.image !== null} />
      {canReplay && (
        <div className="sl-run-replay">
          <ReplayStrip path={path} start={start} end={end} interruptions={interruptions} />
          <div className="sl-replay">
            <button type="button" className="sl-button" onClick={toggle}>
              {translate(isPlaying ? 'map.pause' : 'map.play')}
            </button>
            <input
              type="range"
              aria-label={translate('map.moment')}
              aria-valuetext={formatDateTime(moment, { seconds: true })}
              min={start}
              max={end}
              step={Math.ceil((end - start) / steps / 1000) * 1000}
              value={moment}
              onChange={({ target }) => setMoment(Number(target.value))}
            />
          </div>
          <ReplayStatus moment={moment} position={position} />
        </div>
      )}
      <InterruptionList interruptions={interruptions} onSeek={canReplay ? setMoment : undefined} />
    </>
  );
}

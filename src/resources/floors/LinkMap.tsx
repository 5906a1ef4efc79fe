import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { fitTransformation, type PointPair } from '../../../schema/dsl/fitTransformation';
import type { Point } from '../../../schema/dsl/polygons';
import { applyTransformation, type Transformation } from '../../../schema/dsl/transformation';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { PathDots } from '../../map/plan/PathDots';
import { PlanBox } from '../../map/plan/PlanBox';
import { PlanView } from '../../map/plan/PlanView';
import { PointHandle } from '../../map/plan/PointHandle';
import { areaOf, type PlanZone } from '../../map/plan/planPlaces';
import { call } from '../../providers/call';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { useDialogCall } from '../../ui/useDialogCall';
import { EditorActions } from './EditorActions';
import type { FloorRecord } from './floorRecord';
import { firstPairs, nearestPoint, nextPair } from './mapPairs';
import { PairFields } from './PairFields';
import { useFloorZones } from './useFloorZones';

interface Props {
  floor: FloorRecord;
  mapId: string;
  /** The current transformation, if the map is linked. */
  transformation: Transformation | undefined;
  onSave: (transformation: Transformation) => Promise<void>;
  onClose: () => void;
}

/** Links a robot map to a floor by pairs of points, one on the map's recent path and one on the plan. */
export function LinkMap(props: Props) {
  const translate = useTranslate();
  const { floor, mapId } = props;
  const { data, error, refetch } = useQuery({
    queryKey: ['floors', 'robot_path', floor.id, mapId],
    queryFn: ({ signal }) =>
      call('GET /floors/{id}/robot-maps/path', { params: { id: floor.id }, query: { map_id: mapId }, signal }),
  });
  const { data: zones } = useFloorZones(floor.id);
  const path = useMemo(() => data?.data.map(({ x, y }): Point => [x, y]), [data]);
  const planZones = useMemo(
    () => zones?.map((zone) => ({ ...zone, polygon: zone.polygon as Point[] }) as PlanZone) ?? [],
    [zones],
  );
  if (error && !path)
    return <LoadFailed title={translate('floors.path_failed')} error={error} onRetry={() => void refetch()} />;
  if (!path) return <LoadingNotice what="data" />;
  return <PairEditor {...props} path={path} zones={planZones} />;
}

function PairEditor(props: Props & { path: readonly Point[]; zones: readonly PlanZone[] }) {
  const { floor, mapId, transformation, path, zones, onSave, onClose } = props;
  const translate = useTranslate();
  const language = useLanguage();
  const { run, isBusy, problem } = useDialogCall();
  const area = areaOf(floor, zones);
  const [pairs, setPairs] = useState<readonly PointPair[]>(() => firstPairs(path, area, transformation));
  const [active, setActive] = useState(0);
  const fit = useMemo(() => fitTransformation(pairs), [pairs]);
  const placedPath = useMemo(
    () => (fit ? path.map((point) => applyTransformation(fit.transformation, point)) : []),
    [path, fit],
  );
  const { width, height } = areaOf(undefined, [], path);
  const mapStep = Math.max(width, height) / 500;
  const metres = (value: number) => formatNumber(value, { language, decimals: 2 });
  const change = (changedIndex: number, changes: Partial<PointPair>) => {
    setActive(changedIndex);
    setPairs(pairs.map((pair, index) => (index === changedIndex ? { ...pair, ...changes } : pair)));
  };
  const nameOf = (index: number) => String(index + 1);

  return (
    <section className="sl-floor-plan" aria-label={translate('floors.link_map', { map: mapId })}>
      <h2>{translate('floors.link_map', { map: mapId })}</h2>
      <p className="sl-floor-help">{translate('floors.link_help')}</p>
      <div className="sl-floor-two">
        <PlanBox>
          <PlanView
            label={translate('floors.robot_map', { map: mapId })}
            floor={mapFloor}
            points={path}
            isInMetres={false}
          >
            <PathDots points={path} onClick={(point) => change(active, { map: nearestPoint(path, point) ?? point })} />
            {pairs.map(({ map }, index) => (
              <PointHandle
                key={nameOf(index)}
                at={map}
                step={mapStep}
                text={nameOf(index)}
                isSelected={index === active}
                label={translate('floors.map_point', { name: nameOf(index) })}
                onMove={(to) => change(index, { map: to })}
                onSelect={() => setActive(index)}
              />
            ))}
          </PlanView>
        </PlanBox>
        <PlanBox>
          <PlanView label={translate('floors.plan_of', { name: floor.name })} floor={floor} zones={zones}>
            <PathDots points={placedPath} />
            {pairs.map(({ floor: point }, index) => (
              <PointHandle
                key={nameOf(index)}
                at={point}
                step={0.1}
                text={nameOf(index)}
                isSelected={index === active}
                label={translate('floors.plan_point', { name: nameOf(index) })}
                onMove={(to) => change(index, { floor: to })}
                onSelect={() => setActive(index)}
              />
            ))}
          </PlanView>
        </PlanBox>
      </div>
      <PairFields pairs={pairs} onChange={change} />
      <p role="status">
        {fit
          ? `${translate('floors.error', {
              mean: metres(fit.error.mean),
              largest: metres(fit.error.largest),
            })} ${translate('floors.map_facts', {
              scale: formatNumber(fit.transformation.scale, { language, decimals: 4 }),
              degrees: formatNumber(fit.transformation.rotation, { language, decimals: 1 }),
            })}${fit.transformation.mirrored ? ` ${translate('floors.map_mirrored')}` : ''}`
          : translate('floors.coincide')}
      </p>
      <EditorActions
        problem={problem}
        saveLabel={translate('floors.save_map')}
        canSave={fit !== undefined && !isBusy}
        onSave={() => fit && void run(() => onSave(fit.transformation))}
        onCancel={onClose}
      >
        <button
          type="button"
          className="sl-button"
          onClick={() => {
            setActive(pairs.length);
            setPairs([...pairs, nextPair(path, area)]);
          }}
        >
          {translate('floors.add_pair')}
        </button>
        <button
          type="button"
          className="sl-button"
          disabled={pairs.length < 3}
          onClick={() => {
            setActive(0);
            setPairs(pairs.slice(0, -1));
          }}
        >
          {translate('floors.remove_pair')}
        </button>
      </EditorActions>
    </section>
  );
}

/** Represents the robot map as a floor without a size, so that the grid has the map's units. */
const mapFloor = { id: 0, name: '', width_m: null, height_m: null, plan: null, updated_at: '' };

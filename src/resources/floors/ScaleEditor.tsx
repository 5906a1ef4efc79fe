import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Point } from '../../../schema/dsl/polygons';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { PlanBox } from '../../map/plan/PlanBox';
import { PlanView } from '../../map/plan/PlanView';
import { PointHandle } from '../../map/plan/PointHandle';
import type { PlanFloor } from '../../map/plan/planPlaces';
import { FormField } from '../../ui/FormField';
import { useDialogCall } from '../../ui/useDialogCall';
import { useToast } from '../../ui/useToast';
import { EditorActions } from './EditorActions';
import { FloorHelp } from './FloorHelp';
import { type PlanSize, withPlanProportions } from './floorRecord';
import { fitScale, fitToMap, type GeoPoint, type KnownDistance } from './planScale';
import { StreetPoints } from './StreetPoints';
import { usePatchFloor } from './usePatchFloor';

interface Props {
  floor: PlanFloor & { rotation: number | null; version: number };
  size: PlanSize;
  /** Position of the location, if known. */
  sitePosition: GeoPoint | undefined;
  hasContent: boolean;
  onClose: () => void;
}

const pointNames = ['A', 'B', 'C'];

/**
 * Sets the size and rotation of a plan by points on it: from distances between them, or from their positions on the
 * street map.
 */
export function ScaleEditor({ floor, size, sitePosition, hasContent, onClose }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const notify = useToast();
  const { patchFloor } = usePatchFloor(floor);
  const { run, isBusy, problem } = useDialogCall();
  const [isByMap, setByMap] = useState(false);
  const [points, setPoints] = useState<readonly Point[]>(() => [
    [size.width * 0.25, size.height * 0.5],
    [size.width * 0.75, size.height * 0.5],
  ]);
  const [lengths, setLengths] = useState<Record<string, string>>({});
  const [geoPoints, setGeoPoints] = useState<readonly GeoPoint[]>(() =>
    sitePosition ? geoPointsAround(sitePosition) : [],
  );
  const [rotation, setRotation] = useState(floor.rotation === null ? '' : String(floor.rotation));
  const { floor: viewedFloor, unit } = withPlanProportions(floor, size);

  const pointPairs = points.flatMap((from, index) =>
    points
      .slice(index + 1)
      .map((to, laterIndex) => ({ from, to, name: `${pointNames[index]}${pointNames[index + 1 + laterIndex]}` })),
  );
  const distances = pointPairs.flatMap(({ name, ...pair }): KnownDistance[] => {
    const metres = Number(lengths[name]);
    return metres > 0 ? [{ ...pair, metres }] : [];
  });
  const mapFit = isByMap
    ? fitToMap(points.map((plan, index) => ({ plan, position: geoPoints[index] as GeoPoint })))
    : undefined;
  const fit = isByMap ? mapFit : fitScale(distances);
  const newRotation = mapFit ? Math.round(mapFit.rotation * 10) / 10 : rotation === '' ? null : Number(rotation);
  const formatMetres = (value: number) => formatNumber(value, { language, decimals: 2 });

  const save = () =>
    run(async () => {
      if (!fit) return;
      await patchFloor({
        width_m: Math.round(size.width * fit.scale * 1000) / 1000,
        height_m: Math.round(size.height * fit.scale * 1000) / 1000,
        rotation: newRotation,
      });
      notify('success', translate('floors.scale_saved'));
      onClose();
    });

  return (
    <section className="sl-floor-plan" aria-label={translate('floors.scale')}>
      <fieldset className="sl-floor-tools">
        <legend>{translate('floors.scale_by')}</legend>
        {([false, true] as const).map((byMap) => (
          <label key={String(byMap)}>
            <input
              type="radio"
              name="by"
              checked={isByMap === byMap}
              disabled={byMap && !sitePosition}
              onChange={() => setByMap(byMap)}
            />{' '}
            {translate(byMap ? 'floors.by_map' : 'floors.by_distance')}
          </label>
        ))}
      </fieldset>
      <FloorHelp editor={isByMap ? 'by_map' : 'by_distance'} />
      <div className={isByMap ? 'sl-floor-two' : undefined}>
        <PlanBox>
          <PlanView
            label={translate('floors.plan_of', { name: floor.name })}
            floor={viewedFloor}
            isInMetres={floor.width_m !== null}
          >
            {points.map(([x, y], index) => (
              <PointHandle
                key={pointNames[index]}
                at={[x * unit, y * unit]}
                step={(size.width * unit) / 500}
                text={pointNames[index]}
                label={translate('floors.plan_point', { name: pointNames[index] })}
                onMove={([toX, toY]) =>
                  setPoints(
                    points.map((point, pointIndex) => (pointIndex === index ? [toX / unit, toY / unit] : point)),
                  )
                }
              />
            ))}
          </PlanView>
        </PlanBox>
        {isByMap && sitePosition && (
          <StreetPoints
            center={sitePosition}
            points={geoPoints.slice(0, points.length)}
            pointNames={pointNames}
            onMove={(index, to) =>
              setGeoPoints(geoPoints.map((point, pointIndex) => (pointIndex === index ? to : point)))
            }
          />
        )}
      </div>
      {!isByMap && (
        <div className="sl-floor-pairs">
          {pointPairs.map(({ name }) => (
            <FormField
              key={name}
              label={translate('floors.distance', { from: name[0], to: name[1] })}
              type="number"
              min={0}
              step="any"
              value={lengths[name] ?? ''}
              onChange={({ target }) => setLengths({ ...lengths, [name]: target.value })}
            />
          ))}
          <FormField
            label={translate('floors.rotation')}
            type="number"
            min={-360}
            max={360}
            step="any"
            value={rotation}
            onChange={({ target }) => setRotation(target.value)}
          />
        </div>
      )}
      <div role="status">
        {fit && (
          <p>
            {translate('floors.fitted_size', {
              width: formatMetres(size.width * fit.scale),
              height: formatMetres(size.height * fit.scale),
            })}{' '}
            {translate('floors.error', {
              mean: formatMetres(fit.error.mean),
              largest: formatMetres(fit.error.largest),
            })}
            {mapFit &&
              ` ${translate('floors.turned', { degrees: formatNumber(newRotation ?? 0, { language, decimals: 1 }) })}`}
          </p>
        )}
        {isByMap && !fit && <p>{translate('floors.coincide')}</p>}
        {mapFit?.mirrored && <p className="sl-field-problem">{translate('floors.mirrored')}</p>}
        {fit && hasContent && <p className="sl-floor-help">{translate('floors.content_stays')}</p>}
      </div>
      <EditorActions
        problem={problem}
        saveLabel={translate('floors.save_scale')}
        canSave={fit !== undefined && !mapFit?.mirrored && !isBusy}
        onSave={() => void save()}
        onCancel={onClose}
      >
        <button
          type="button"
          className="sl-button"
          onClick={() =>
            setPoints(points.length === 2 ? [...points, [size.width * 0.5, size.height * 0.75]] : points.slice(0, 2))
          }
        >
          {translate(points.length === 2 ? 'floors.third_point' : 'floors.two_points')}
        </button>
      </EditorActions>
    </section>
  );
}

/** Three initial points about 20 m from the middle. */
const geoPointsAround = ({ latitude, longitude }: GeoPoint): GeoPoint[] => [
  { latitude, longitude: longitude - 0.0003 },
  { latitude, longitude: longitude + 0.0003 },
  { latitude: latitude + 0.0002, longitude },
];

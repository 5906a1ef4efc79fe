import { useTranslate } from 'react-admin';
import { BaseMap } from '../../map/BaseMap';
import { PointHandle } from '../../map/plan/PointHandle';
import { useMapColors } from '../../map/useMapColors';
import type { GeoPoint } from './planScale';

/** Degrees per press of an arrow key: less than half a metre. */
const degreeStep = 0.000_004;

interface Props {
  center: GeoPoint;
  points: readonly GeoPoint[];
  pointNames: readonly string[];
  onMove: (index: number, to: GeoPoint) => void;
}

/** Movable points on the street map of a location. */
export function StreetPoints({ center, points, pointNames, onMove }: Props) {
  const translate = useTranslate();
  return (
    <div className="sl-plan-box">
      <BaseMap
        label={translate('floors.street_map')}
        colors={useMapColors()}
        center={[center.latitude, center.longitude]}
        zoom={18}
      >
        {points.map(({ latitude, longitude }, index) => (
          <PointHandle
            key={pointNames[index]}
            at={[longitude, latitude]}
            step={degreeStep}
            text={pointNames[index]}
            label={translate('floors.street_point', { name: pointNames[index] })}
            onMove={([toLongitude, toLatitude]) => onMove(index, { latitude: toLatitude, longitude: toLongitude })}
          />
        ))}
      </BaseMap>
    </div>
  );
}

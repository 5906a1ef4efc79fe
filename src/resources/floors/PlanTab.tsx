import './floors.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Point } from '../../../schema/dsl/polygons';
import { PlanBox } from '../../map/plan/PlanBox';
import { PlanLegend } from '../../map/plan/PlanLegend';
import { PlanPicture } from '../../map/plan/PlanPicture';
import { PlanView } from '../../map/plan/PlanView';
import type { PlanZone } from '../../map/plan/planPlaces';
import { can } from '../../providers/auth';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { type FloorRecord, planSize, withPlanProportions } from './floorRecord';
import { PlanUpload } from './PlanUpload';
import { ScaleEditor } from './ScaleEditor';
import { useFloorZones } from './useFloorZones';
import { ZoneEditor } from './ZoneEditor';

/** The plan of a floor with its zones. Permitted users can upload a plan, set its scale and draw zones. */
export function PlanTab({ floor }: { floor: FloorRecord }) {
  const translate = useTranslate();
  const client = useQueryClient();
  const [isScaling, setScaling] = useState(false);
  const isScaled = floor.width_m !== null && floor.height_m !== null;
  // A finished plan is shown above the upload, an unfinished one below. Decided once, so that nothing moves during
  // set-up.
  const [isUploadLast] = useState(floor.plan !== null && isScaled);
  const { data: zones, error, refetch } = useFloorZones(floor.id);
  // A failed reload must not replace the editor, whose drafts would be lost.
  if (error && !zones)
    return <LoadFailed title={translate('floors.zones_failed')} error={error} onRetry={() => void refetch()} />;
  if (!zones) return <LoadingNotice what="data" />;

  const canEditFloor = can('floors', 'edit');
  const canEditZones = ['create', 'edit', 'delete'].every((action) => can('zones', action));
  const size = planSize(floor);
  const { latitude = null, longitude = null } = floor.location ?? {};
  const planZones = zones.map((zone) => ({ ...zone, polygon: zone.polygon as Point[] }) as PlanZone);
  const label = translate('floors.plan_of', { name: floor.name });

  const upload = canEditFloor && !isScaling && (
    <PlanUpload
      floorId={floor.id}
      hasPlan={floor.plan !== null}
      onChanged={() => client.invalidateQueries({ queryKey: ['floors'] })}
    >
      {size && (
        <button
          type="button"
          className={isScaled ? 'sl-button' : 'sl-button sl-button-primary'}
          onClick={() => setScaling(true)}
        >
          {translate('floors.scale')}
        </button>
      )}
      {size && !isScaled && <span>{translate('floors.scale_first')}</span>}
    </PlanUpload>
  );

  return (
    <div className="sl-floor-plan">
      {!isUploadLast && upload}
      {!canEditFloor && floor.plan === null && <p>{translate('floors.no_plan')}</p>}
      {isScaling && size ? (
        <ScaleEditor
          key={floor.plan}
          floor={floor}
          size={size}
          sitePosition={latitude === null || longitude === null ? undefined : { latitude, longitude }}
          hasContent={zones.length > 0 || (floor.maps?.length ?? 0) > 0}
          onClose={() => setScaling(false)}
        />
      ) : canEditZones && (isScaled || !size) ? (
        <ZoneEditor floor={floor} stored={zones} />
      ) : size && !isScaled ? (
        <PlanBox>
          <PlanView label={label} floor={withPlanProportions(floor, size).floor} isInMetres={false} />
        </PlanBox>
      ) : (
        <>
          <PlanBox>
            <PlanView label={label} floor={floor} zones={planZones} />
            <PlanPicture label={label} floor={floor} zones={planZones} coverage={noCoverage} legs={[]} marks={[]} />
          </PlanBox>
          <PlanLegend zones={planZones} hasCoverage={false} />
        </>
      )}
      {isUploadLast && upload}
    </div>
  );
}

const noCoverage = { image: null, bounds: null };

import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { floors } from '../../../schema/entities/floors';
import { runs } from '../../../schema/entities/runs';
import { isEditable } from '../../crud/shared/entities';
import { usePathOf } from '../../crud/shared/paths';
import { PlanBox } from '../../map/plan/PlanBox';
import { can } from '../../providers/auth';
import { EmptyState } from '../../ui/EmptyState';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { RunFigures } from './RunFigures';
import { RunReplay } from './RunReplay';
import type { RunRow } from './runRow';
import { useRunOnFloor } from './useRunOnFloor';

/** A run on its plan, with the figures beside it. */
export function RunTab({ run, record }: { run: RunRow; record: RaRecord }) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const { coverage, path, plan, error, retry } = useRunOnFloor(run);
  const isUnplaced = coverage?.floor_id === null;
  return (
    <div className="sl-run">
      <section className="sl-section sl-run__plan" aria-label={translate('plan.on_plan')}>
        {error ? (
          <LoadFailed title={translate('plan.run_failed')} error={error} onRetry={retry} />
        ) : isUnplaced ? (
          <EmptyState
            icon="map"
            title={translate('plan.no_floor')}
            text={coverage.reason ?? undefined}
            action={
              isEditable(runs) ? (
                <Link className="sl-button" to={pathOf('runs', run.id, 'edit')}>
                  {translate('plan.name_floor')}
                </Link>
              ) : undefined
            }
          />
        ) : coverage && path && plan ? (
          <RunReplay run={run} coverage={coverage} path={path} plan={plan} />
        ) : (
          <PlanBox>
            <LoadingNotice what="data" />
          </PlanBox>
        )}
        {!error && coverage?.reason && !isUnplaced && (
          <p className="sl-run-note" role="status">
            {coverage.reason}{' '}
            {can('floors', 'show') && (
              <Link to={pathOf('floors', coverage.floor_id ?? 0, isEditable(floors) ? 'edit' : undefined)}>
                {translate('plan.to_floor')}
              </Link>
            )}
          </p>
        )}
        {plan?.floor.plan === null && (
          <p className="sl-run-note">
            {translate('floors.no_plan')}{' '}
            {can('floors', 'edit') && <Link to={pathOf('floors', plan.floor.id)}>{translate('floors.upload')}</Link>}
          </p>
        )}
      </section>
      <RunFigures run={run} record={record} coverage={coverage} zones={plan?.zones} />
    </div>
  );
}

import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { MachineOnFloor } from '../../../schema/endpoints/floors';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { PlanBox } from '../../map/plan/PlanBox';
import type { PlanFloor, PlanZone } from '../../map/plan/planPlaces';
import { lazyPage } from '../../ui/lazyPage';
import { RelativeTime } from '../../ui/RelativeTime';
import type { MachineRow } from './machineRow';

const MachinePlan = lazyPage(() => import('../../map/plan/MachinePlan'), 'MachinePlan');

interface Props {
  machine: MachineRow;
  position: MachineOnFloor;
  /** `undefined` while loading. */
  plan: { floor: PlanFloor; zones: PlanZone[] } | undefined;
}

/** The plan of the machine's floor with the machine on it. */
export function MachineOnPlan({ machine, position, plan }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const print = (metres: number) => formatNumber(metres, { language, decimals: 1 });
  return (
    <div className="sl-position__plan">
      <dl className="sl-machine-facts">
        <div>
          <dt>{translate('resources.floors.name', { smart_count: 1 })}</dt>
          <dd>
            <Link to={`/floors/${position.floor_id}`}>{plan?.floor.name ?? '–'}</Link>
          </dd>
        </div>
        <div>
          <dt>{translate('plan.place')}</dt>
          <dd className="sl-numeral">
            {print(position.x)} m, {print(position.y)} m
          </dd>
        </div>
        <div>
          <dt>{translate('plan.seen')}</dt>
          <dd>
            <RelativeTime value={position.at} />
          </dd>
        </div>
      </dl>
      <PlanBox>
        {plan && (
          <MachinePlan
            label={translate('plan.of_machine', { machine: machine.serial_number, name: plan.floor.name })}
            {...plan}
            position={{ ...position, state: machine.status }}
          />
        )}
      </PlanBox>
    </div>
  );
}

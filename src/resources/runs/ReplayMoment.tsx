import { useTranslate } from 'react-admin';
import type { StateName } from '../../../schema/entities/machines';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDateTime, formatNumber } from '../../i18n/format';
import type { PathPosition } from '../../map/plan/runPath';
import { StateMark } from '../../ui/StateMark';

/** State, speed and battery of the machine at the current time of the replay. */
export function ReplayMoment({ moment, position }: { moment: number; position: PathPosition | undefined }) {
  const translate = useTranslate();
  const language = useLanguage();
  const measure = (value: number | null | undefined, unit: string) =>
    value === null || value === undefined ? '–' : `${formatNumber(value, { language })} ${unit}`;
  return (
    <dl className="sl-run-moment">
      <div>
        <dt>{translate('machine.time')}</dt>
        <dd>
          <time dateTime={new Date(moment).toISOString()}>{formatDateTime(moment, { seconds: true })}</time>
        </dd>
      </div>
      <div>
        <dt>{translate('machine.state')}</dt>
        <dd>
          <StateMark state={position?.state as StateName | undefined} />
        </dd>
      </div>
      <div>
        <dt>{translate('plan.speed')}</dt>
        <dd>{measure(position?.speed, 'm/s')}</dd>
      </div>
      <div>
        <dt>{translate('machine.battery')}</dt>
        <dd>{measure(position?.battery, '%')}</dd>
      </div>
    </dl>
  );
}

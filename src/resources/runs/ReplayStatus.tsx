import { useTranslate } from 'react-admin';
import type { StateName } from '../../../schema/entities/machines';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDateTime, formatNumber, formatPercent } from '../../i18n/format';
import type { PathPosition } from '../../map/plan/runPath';
import { StateMark } from '../../ui/StateMark';

/** State, speed and battery of the machine at the current time of the replay. */
export function ReplayStatus({ moment, position }: { moment: number; position: PathPosition | undefined }) {
  const translate = useTranslate();
  const language = useLanguage();
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
        <dd>{typeof position?.speed === 'number' ? `${formatNumber(position.speed, { language })} m/s` : '–'}</dd>
      </div>
      <div>
        <dt>{translate('machine.battery')}</dt>
        <dd>{typeof position?.battery === 'number' ? formatPercent(position.battery, { language }) : '–'}</dd>
      </div>
    </dl>
  );
}

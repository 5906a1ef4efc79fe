import { useTranslate } from 'react-admin';
import type { StateName } from '../../schema/entities/machines';
import { formatDateTime } from '../i18n/format';
import { Icon, type IconName } from './Icon';
import { Tooltip } from './Tooltip';

interface StateMarkProps {
  state: StateName | null | undefined;
  /** ISO 8601. */
  since?: string | null;
  /** Why the machine is in this state, in the user's language. */
  reason?: string | null;
}

/** Icon of each state; the map uses the same ones. */
export const stateIcons: Record<StateName, IconName> = {
  Cleaning: 'cleaning',
  Charging: 'charging',
  Parked: 'parked',
  Online: 'online',
  Offline: 'offline',
};

/** A machine's state as icon and word; shows start and reason on hover and focus. */
export const StateMark = ({ state, since, reason }: StateMarkProps) => {
  const translate = useTranslate();
  if (!state) return <span className="sl-none">{translate('record.empty')}</span>;
  const explanation = () =>
    [since && translate('machine.since', { time: formatDateTime(since) }), reason].filter(Boolean).join(' · ');
  const mark = (
    <span className="sl-state" data-state={state.toLowerCase()}>
      <Icon name={stateIcons[state]} size={16} />
      {translate(`resources.machines.choices.status.${state}`, { _: state })}
    </span>
  );
  return since || reason ? <Tooltip text={explanation}>{mark}</Tooltip> : mark;
};

import { useTranslate } from 'react-admin';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatPercent } from '../../i18n/format';
import { RelativeTime } from '../../ui/RelativeTime';
import type { MachineRow } from './machineRow';

/** Below the title of a machine's page: reason of its state, battery, last message. */
export function MachineHead({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  return (
    <dl className="sl-machine-facts sl-machine-head">
      <div>
        <dt>{translate('resources.machines.fields.status_since')}</dt>
        <dd>
          {machine.status_since || !machine.status_reason ? <RelativeTime value={machine.status_since} /> : null}
          {machine.status_reason && (machine.status_since ? ` · ${machine.status_reason}` : machine.status_reason)}
        </dd>
      </div>
      <div>
        <dt>{translate('resources.machines.fields.battery')}</dt>
        <dd>
          {machine.battery === null || machine.battery === undefined ? '–' : <Battery percent={machine.battery} />}
        </dd>
      </div>
      <div>
        <dt>{translate('resources.machines.fields.last_seen')}</dt>
        <dd>{machine.last_seen ? <RelativeTime value={machine.last_seen} /> : translate('machine.never_seen')}</dd>
      </div>
    </dl>
  );
}

/** The charge of a battery, in red below 20 %. */
export function Battery({ percent }: { percent: number }) {
  return (
    <span className="sl-battery" data-low={percent < 20}>
      <svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true">
        <rect x="0.75" y="0.75" width="21.5" height="12.5" rx="3" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <rect x="23.5" y="4.5" width="2" height="5" rx="1" fill="currentColor" />
        <rect
          x="3"
          y="3"
          width={(17 * Math.min(Math.max(percent, 0), 100)) / 100}
          height="8"
          rx="1"
          fill="currentColor"
        />
      </svg>
      {formatPercent(percent, { language: useLanguage() })}
    </span>
  );
}

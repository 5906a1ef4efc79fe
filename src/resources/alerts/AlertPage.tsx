import './alerts.css';
import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { alerts } from '../../../schema/entities/alerts';
import { Details } from '../../crud/record/Details';
import { RecordPage } from '../../crud/record/RecordPage';
import { isPermitted } from '../../crud/shared/entities';
import { can } from '../../providers/auth';
import { useLive } from '../../providers/useLive';
import { Icon } from '../../ui/Icon';
import { AlertNotes } from './AlertNotes';
import { AlertStateMark, SeverityMark } from './renderers';
import { useAlertAct } from './useAlertAct';

/** Fields of the details; the page head shows the others. */
const detailNames = [
  'rule_id',
  'client_id',
  'location_id',
  'floor_id',
  'zone_ids',
  'machine_ids',
  'opened_at',
  'acknowledged_at',
  'acknowledged_by',
  'closed_at',
  'closed_by',
  'next_reminder',
] as const;

/** Users may receive an alert without having access to its rule. */
const isFieldVisible = (name: (typeof detailNames)[number]) => name !== 'rule_id' || can('alert_rules', 'list');

const hasValue = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

type AlertRow = Row<typeof alerts>;

/** The page of an alert: severity, state, history and comments. */
export function AlertPage() {
  const translate = useTranslate();
  const client = useQueryClient();
  useLive('resource/alerts', () => void client.invalidateQueries({ queryKey: ['alerts'] }));
  return (
    <RecordPage
      entity={alerts}
      head={(record: RaRecord) => <AlertMarks alert={record as AlertRow} />}
      actions={(record) => record.state === 'open' && <AlertButton alert={record as AlertRow} act="close" />}
      primary={(record) => <PrimaryButton alert={record as AlertRow} />}
      details={{
        label: translate('record.details'),
        element: (record) => (
          <>
            <Details
              entity={alerts}
              record={record}
              groups={[
                { name: 'main', fields: detailNames.filter((name) => hasValue(record[name]) && isFieldVisible(name)) },
              ]}
            />
            <AlertNotes alert={record as AlertRow} />
          </>
        ),
      }}
    />
  );
}

const AlertMarks = ({ alert }: { alert: AlertRow }) => (
  <p className="sl-alert-marks">
    <SeverityMark severity={alert.severity} />
    <AlertStateMark state={alert.state} />
  </p>
);

type AlertAct = 'acknowledge' | 'close';

/** A button for an action on the alert. Renders nothing for users who may only read alerts. */
function AlertButton({ alert, act, isPrimary = false }: { alert: AlertRow; act: AlertAct; isPrimary?: boolean }) {
  const translate = useTranslate();
  const { run, isBusy } = useAlertAct();
  if (!isPermitted('alerts.acknowledge')) return null;
  return (
    <button
      type="button"
      className={isPrimary ? 'sl-button sl-button-primary' : 'sl-button'}
      disabled={isBusy}
      onClick={() => void run(alert.id, act)}
    >
      {/* A phone would show only the icon of a button that is not the primary one. */}
      {isPrimary && <Icon name="check" size={16} />}
      {translate(`alerting.${act}`)}
    </button>
  );
}

/** Open alerts are acknowledged first; acknowledged ones are closed. */
const PrimaryButton = ({ alert }: { alert: AlertRow }) =>
  alert.state === 'closed' ? null : (
    <AlertButton alert={alert} act={alert.state === 'open' ? 'acknowledge' : 'close'} isPrimary />
  );

import './ownMachines.css';
import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { AlertTime } from '../../crud/fields/AlertTime';
import { isPermitted } from '../../crud/shared/entities';
import { pathOf } from '../../crud/shared/paths';
import { formatDate } from '../../i18n/format';
import { errorMessage } from '../../providers/errorMessage';
import { fetchRow } from '../../providers/rows';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';
import { Battery } from '../../resources/machines/MachineHead';
import { canScan } from '../../resources/trackers/canScan';
import { Icon } from '../../ui/Icon';
import { lazyPage } from '../../ui/lazyPage';
import { Modal } from '../../ui/Modal';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateMark } from '../../ui/StateMark';
import { useIsMobile } from '../../ui/useIsMobile';
import { useToast } from '../../ui/useToast';
import { type OwnMachine, useOwnMachines } from './useOwnMachines';

const ProblemDialog = lazyPage(() => import('../../resources/machines/ReportProblem'), 'ProblemDialog');
const ScanMachine = lazyPage(() => import('../../resources/trackers/ScanMachine'), 'ScanMachine');

type Dialog = 'scan' | 'choose' | Pick<OwnMachine, 'id' | 'serial_number'>;

/**
 * Start page of users with few machines: a card per machine, and large buttons to scan a code and to report a problem,
 * which stay at the bottom of a phone's screen.
 */
export const OwnMachines = () => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const id = useId();
  const { data: machines = [], refetch } = useOwnMachines();
  const reload = useThrottle(() => void refetch(), 3000);
  useLive('resource/machines', reload);
  useLive('resource/alerts', reload);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const isMobile = useIsMobile();
  const toast = useToast();
  /** Opens the problem report of a scanned machine, even if it has no card. */
  const reportScanned = async (scannedId: number) => {
    try {
      setDialog(machines.find((machine) => machine.id === scannedId) ?? (await fetchRow('machines', scannedId)).data);
    } catch (error) {
      toast('error', error instanceof Error ? errorMessage(error, translate) : 'errors.generic');
    }
  };
  const [firstMachine] = machines;
  const canReport = isPermitted('machines.report') && firstMachine !== undefined;
  const actions = (
    <div className="sl-own-machines__actions">
      {canScan() && (
        <button type="button" className="sl-button" onClick={() => setDialog('scan')}>
          <Icon name="qr" size={20} />
          {translate('trackers.scan')}
        </button>
      )}
      {canReport && (
        <button
          type="button"
          className="sl-button sl-button-primary"
          onClick={() => setDialog(machines.length === 1 ? firstMachine : 'choose')}
        >
          <Icon name="warning" size={20} />
          {translate('alerting.report.open')}
        </button>
      )}
    </div>
  );
  return (
    <>
      <section className="sl-own-machines" aria-labelledby={id}>
        <header>
          <h2 id={id}>{translate('own_machines.title')}</h2>
          {!isMobile && actions}
        </header>
        <ul>
          {machines.map((machine) => (
            <MachineCard
              key={machine.id}
              machine={machine}
              onReport={canReport ? () => setDialog(machine) : undefined}
            />
          ))}
        </ul>
        {dialog === 'scan' && (
          <Modal title={translate('trackers.scan')} onClose={close}>
            <ScanMachine startsAtOnce onFound={(machineId) => navigate(pathOf('machines', machineId))} />
          </Modal>
        )}
        {dialog === 'choose' && (
          <Modal title={translate('own_machines.which')} onClose={close}>
            {canScan() && (
              <ScanMachine startsAtOnce={isMobile} onFound={(machineId) => void reportScanned(machineId)} />
            )}
            <ul className="sl-own-machines__choice">
              {machines.map(({ id: machineId, serial_number, siteAndType }) => (
                <li key={machineId}>
                  <button
                    type="button"
                    className="sl-button"
                    onClick={() => setDialog({ id: machineId, serial_number })}
                  >
                    <b>{serial_number}</b> <span>{siteAndType}</span>
                  </button>
                </li>
              ))}
            </ul>
          </Modal>
        )}
        {typeof dialog === 'object' && <ProblemDialog machine={dialog} onClose={close} />}
      </section>
      {isMobile && actions}
    </>
  );
};

interface MachineCardProps {
  machine: OwnMachine;
  /** Absent if the user may not report problems. */
  onReport: (() => void) | undefined;
}

const MachineCard = ({ machine, onReport }: MachineCardProps) => {
  const translate = useTranslate();
  const { id, serial_number, status, battery, siteAndType, plannedDay, problem } = machine;
  return (
    <li className="sl-own-machine">
      <Link to={pathOf('machines', id)}>
        <span className="sl-own-machine__head">
          <b>{serial_number}</b>
          {battery !== null && <Battery percent={battery} />}
        </span>
        <span className="sl-own-machine__state">
          <StateMark state={status} /> <StateTime machine={machine} />
        </span>
        {siteAndType && <span className="sl-own-machine__note">{siteAndType}</span>}
        {plannedDay && (
          <span className="sl-own-machine__note">
            {translate('own_machines.planned', { day: formatDate(plannedDay) })}
          </span>
        )}
        {problem && (
          <span className="sl-own-machine__problem">
            <Icon name="warning" size={16} /> {problem.summary} · <AlertTime alert={problem} />
          </span>
        )}
      </Link>
      {onReport && (
        <button
          type="button"
          className="sl-button sl-button-small"
          aria-label={`${translate('alerting.report.open')}: ${serial_number}`}
          onClick={onReport}
        >
          <Icon name="warning" size={16} />
          {translate('alerting.report.open')}
        </button>
      )}
    </li>
  );
};

/** Since when the machine is in its state; without that, when it was last heard from, if ever. */
const StateTime = ({ machine: { status_since, last_seen } }: { machine: OwnMachine }) => {
  const translate = useTranslate();
  if (status_since) return <RelativeTime value={status_since} isOngoing />;
  return (
    <span className="sl-own-machine__note">
      {last_seen ? (
        <>
          {translate('resources.machines.fields.last_seen')} <RelativeTime value={last_seen} />
        </>
      ) : (
        translate('machine.never_seen')
      )}
    </span>
  );
};

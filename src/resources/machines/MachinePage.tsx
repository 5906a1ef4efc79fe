import './machine.css';
import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { machines } from '../../../schema/entities/machines';
import { runs } from '../../../schema/entities/runs';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { DataTab } from './DataTab';
import { ExportMachine } from './ExportMachine';
import { LocationTab } from './LocationTab';
import { LogsTab } from './LogsTab';
import { MachineAlerts } from './MachineAlerts';
import { MachineHead } from './MachineHead';
import type { MachineRow } from './machineRow';
import { PrintLabel } from './PrintLabel';
import { ReportProblem } from './ReportProblem';
import { ServiceTab } from './ServiceTab';
import { StatisticsTab } from './StatisticsTab';

/**
 * The page of a machine: data, logs, location, statistics, service and runs (specification, section 2, "Single
 * machine").
 */
export function MachinePage() {
  const translate = useTranslate();
  const runsTab = {
    name: 'runs',
    label: translate('resources.runs.plural'),
    element: (record: RaRecord) => (
      <ListPage entity={runs} embedded filter={{ machine_id: rowOf(record).id, superseded_by: null }} />
    ),
  };
  return (
    <RecordPage
      entity={machines}
      head={(record) => (
        <>
          <MachineAlerts machine={rowOf(record).id} />
          <div className="sl-machine-top">
            <MachineHead machine={rowOf(record)} />
            <ReportProblem machine={rowOf(record)} />
          </div>
        </>
      )}
      actions={(record) => (
        <>
          <ExportMachine machine={rowOf(record)} />
          <PrintLabel id={rowOf(record).id} />
        </>
      )}
      details={{ label: translate('machine.data'), element: (record) => <DataTab machine={rowOf(record)} /> }}
      tabs={[
        { name: 'logs', label: translate('machine.logs'), element: (record) => <LogsTab machine={rowOf(record)} /> },
        {
          name: 'location',
          label: translate('machine.location'),
          element: (record) => <LocationTab machine={rowOf(record)} />,
        },
        {
          name: 'statistics',
          label: translate('machine.statistics'),
          element: (record) => <StatisticsTab machine={rowOf(record)} />,
        },
        {
          name: 'service',
          label: translate('service.title'),
          // Another machine gets new forms, so that no entry is saved for the wrong one.
          element: (record) => <ServiceTab machine={rowOf(record)} />,
        },
        ...(can('runs', 'list') ? [runsTab] : []),
      ]}
    />
  );
}

const rowOf = (record: RaRecord) => record as MachineRow;

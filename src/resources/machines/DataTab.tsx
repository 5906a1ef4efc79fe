import { machines } from '../../../schema/entities/machines';
import { can } from '../../providers/auth';
import { Details } from '../record/Details';
import { Documents } from './Documents';
import type { MachineRow } from './machine';
import { QrCode } from './QrCode';
import { RecentTimeline } from './RecentTimeline';

/** Everything known about the machine: its last day, all fields by group, its papers and its code. */
export function DataTab({ machine }: { machine: MachineRow }) {
  return (
    <div className="sl-machine-tab">
      <RecentTimeline machine={machine} />
      <div className="sl-machine-data">
        <Details entity={machines} record={machine} />
        <div className="sl-machine-aside">
          {can('documents', 'list') && <Documents machine={machine} />}
          <QrCode machine={machine} />
        </div>
      </div>
    </div>
  );
}

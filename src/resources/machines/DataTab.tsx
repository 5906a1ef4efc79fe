import { machines } from '../../../schema/entities/machines';
import { Details } from '../../crud/record/Details';
import { isPermitted } from '../../crud/shared/entities';
import { can } from '../../providers/auth';
import { BookValue } from './BookValue';
import { Documents } from './Documents';
import { MachineTracker } from './MachineTracker';
import type { MachineRow } from './machineRow';
import { QrCode } from './QrCode';
import { RecentTimeline } from './RecentTimeline';

/** The machine's recent timeline, all fields by group, tracker, book value, documents and QR code. */
export function DataTab({ machine }: { machine: MachineRow }) {
  return (
    <div className="sl-machine-tab">
      <RecentTimeline machine={machine} />
      <div className="sl-machine-data">
        <Details entity={machines} record={machine} />
        <div className="sl-machine-aside">
          {can('trackers', 'list') && <MachineTracker machine={machine} />}
          {isPermitted('machines.finance') && <BookValue machine={machine} />}
          {can('documents', 'list') && <Documents machine={machine} />}
          <QrCode machine={machine} />
        </div>
      </div>
    </div>
  );
}

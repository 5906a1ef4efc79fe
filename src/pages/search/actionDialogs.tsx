/**
 * Runs actions on a row with the dialogs of pages. Each component starts when it mounts, and calls `onClose` when it is
 * done.
 */
import '../../crud/list/list.css';
import { useTranslate } from 'ra-core';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { locations } from '../../../schema/entities/locations';
import type { trackers } from '../../../schema/entities/trackers';
import { AssignRows } from '../../crud/bulk/AssignRows';
import { MoveRows, type MoveRowsProps } from '../../crud/bulk/MoveRows';
import { useBulk } from '../../crud/bulk/useBulk';
import { MoveLocation } from '../../crud/dialogs/MoveLocation';
import { useUnassignTracker } from '../../crud/dialogs/useUnassignTracker';
import { useDeleteRow } from '../../crud/record/useDeleteRow';
import { pathOf } from '../../crud/shared/paths';
import { rowAt, type SearchActionProps } from '../../layout/useSearchActions';
import { useAlertAct } from '../../resources/alerts/useAlertAct';
import { AddServiceEntry } from '../../resources/machines/AddServiceEntry';
import { ChooseTracker } from '../../resources/machines/ChooseTracker';
import type { MachineRow } from '../../resources/machines/machineRow';
import { ProblemDialog } from '../../resources/machines/ReportProblem';
import { AssignTracker } from '../../resources/trackers/AssignTracker';
import { Modal } from '../../ui/Modal';
import { useToast } from '../../ui/useToast';

export const ReportProblemAction = ({ row, onClose }: SearchActionProps) => (
  <ProblemDialog machine={row as MachineRow} onClose={onClose} />
);

export const ChooseTrackerAction = ({ row, onClose }: SearchActionProps) => (
  <ChooseTracker machine={row as MachineRow} initialId={undefined} onClose={onClose} />
);

export const AddServiceEntryAction = ({ row, onClose }: SearchActionProps) => {
  const title = `${useTranslate()('resources.service_entries.add')}: ${row.serial_number}`;
  return (
    <Modal title={title} onClose={onClose}>
      <AddServiceEntry machine={row as MachineRow} onClose={onClose} />
    </Modal>
  );
};

export const AssignTrackerAction = ({ row, onClose }: SearchActionProps) => (
  <AssignTracker tracker={row as Row<typeof trackers>} onClose={onClose} />
);

export const MoveLocationAction = ({ row, onClose }: SearchActionProps) => (
  <MoveLocation location={row as Row<typeof locations>} onClose={onClose} />
);

/** Bulk work on a single row. Stays mounted afterwards, to show the result with its undo. */
const bulkAction = (Dialog: ComponentType<MoveRowsProps>) =>
  function BulkAction({ entity, row }: SearchActionProps) {
    const bulk = useBulk(entity);
    const [isOpen, setOpen] = useState(true);
    const target = { ids: [row.id], count: 1 };
    return (
      <>
        {isOpen && (
          <Dialog entity={entity} target={target} run={bulk.run} onClose={() => setOpen(false)} onDone={noSelection} />
        )}
        <div className="sl-action-result">{bulk.element}</div>
      </>
    );
  };
/** The search has no selection to clear, unlike lists. */
const noSelection = () => undefined;

export const MoveAction = bulkAction(MoveRows);
export const AssignAction = bulkAction(AssignRows);

/** Runs `work` once, when the component mounts. */
function useStart(work: () => Promise<unknown>): void {
  const latestWork = useRef(work);
  const isStarted = useRef(false);
  useEffect(() => {
    if (!isStarted.current) void latestWork.current();
    isStarted.current = true;
  }, []);
}

export function UnassignTrackerAction({ row, onClose }: SearchActionProps) {
  const unassign = useUnassignTracker();
  useStart(() => unassign(row as Row<typeof trackers>).finally(onClose));
  return null;
}

const alertAction = (act: 'acknowledge' | 'close', toastKey: string) =>
  function AlertAction({ row, onClose }: SearchActionProps) {
    const toast = useToast();
    const { run } = useAlertAct();
    useStart(async () => {
      if (await run(Number(row.id), act)) toast('success', toastKey);
      onClose();
    });
    return null;
  };

export const AcknowledgeAlertAction = alertAction('acknowledge', 'inbox.acted.acknowledge');
export const CloseAlertAction = alertAction('close', 'inbox.acted.done');

export function DeleteAction({ entity, row, onClose }: SearchActionProps) {
  const navigate = useNavigate();
  const open = rowAt(useLocation().pathname);
  const isPageOpen = open?.entity === entity && open.id === row.id;
  const { remove, refusal } = useDeleteRow({ entity, isPageOpen, onRefusalClosed: onClose });
  useStart(async () => {
    const removal = await remove(row);
    if (removal === 'done' && isPageOpen) navigate(pathOf(entity.name));
    if (removal !== 'refused') onClose();
  });
  return refusal;
}

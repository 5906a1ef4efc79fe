import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { call } from '../../providers/call';
import { useDialogCall } from '../../ui/useDialogCall';

/** Returns `assign`, which assigns a tracker to a machine and closes the dialog on success, and the dialog's state. */
export function useAssignTracker(onClose: () => void) {
  const notify = useNotify();
  const client = useQueryClient();
  const dialog = useDialogCall();
  const assign = (tracker: number, machine: { id: number; serial_number: string }) =>
    dialog.run(async () => {
      await call('POST /trackers/{id}/assign', { params: { id: tracker }, body: { machine_id: machine.id } });
      notify('trackers.assigned_to', { type: 'success', messageArgs: { machine: machine.serial_number } });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    });
  return { ...dialog, assign };
}

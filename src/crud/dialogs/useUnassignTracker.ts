import { useQueryClient } from '@tanstack/react-query';
import { useNotify, useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';

/** Returns a function that unassigns a tracker from its machine, after confirmation. */
export function useUnassignTracker() {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  return async (tracker: { id: number; refno: string }) => {
    const button = translate('trackers.unassign');
    const title = `${button}: ${tracker.refno}`;
    if (!(await confirm({ title, description: translate('trackers.unassign_text'), button }))) return;
    try {
      await call('POST /trackers/{id}/assign', { params: { id: tracker.id }, body: { machine_id: null } });
      notify('trackers.unassigned_done', { type: 'success' });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
}

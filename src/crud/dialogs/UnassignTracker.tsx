import { useQueryClient } from '@tanstack/react-query';
import { useNotify, useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';

/** Unassigns a tracker from its machine, after confirmation. */
export function UnassignTracker({ tracker }: { tracker: { id: number; refno: string } }) {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  const remove = async () => {
    const button = translate('trackers.unassign');
    if (
      !(await confirm({
        title: `${button}: ${tracker.refno}`,
        description: translate('trackers.unassign_text'),
        button,
      }))
    )
      return;
    try {
      await call('POST /trackers/{id}/assign', { params: { id: tracker.id }, body: { machine_id: null } });
      notify('trackers.unassigned_done', { type: 'success' });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <button type="button" className="sl-button" onClick={() => void remove()}>
      {translate('trackers.unassign')}
    </button>
  );
}

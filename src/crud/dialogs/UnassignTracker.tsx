import { useTranslate } from 'react-admin';
import { useUnassignTracker } from './useUnassignTracker';

/** Button that unassigns a tracker from its machine. */
export function UnassignTracker({ tracker }: { tracker: { id: number; refno: string } }) {
  const translate = useTranslate();
  const unassign = useUnassignTracker();
  return (
    <button type="button" className="sl-button" onClick={() => void unassign(tracker)}>
      {translate('trackers.unassign')}
    </button>
  );
}

/** How invitations draw their own fields: one that was accepted runs out no more. */
import { RelativeTime } from '../../layout/RelativeTime';
import type { Shown } from '../parts/shown';

export const invitationFields = {
  expires_at: ({ value, record }: Shown) => (record.accepted ? <span className="sl-nothing">–</span> : <RelativeTime value={String(value)} />),
};

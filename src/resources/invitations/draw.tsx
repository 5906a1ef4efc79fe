/** Renderers of invitation fields: an accepted one has no expiry. */

import type { Shown } from '../../crud/fields/shown';
import { RelativeTime } from '../../ui/RelativeTime';

export const invitationFields = {
  expires_at: ({ value, record }: Shown) =>
    record.accepted ? <span className="sl-nothing">–</span> : <RelativeTime value={String(value)} />,
};

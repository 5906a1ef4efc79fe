/** Renderers of invitation fields: accepted invitations show no expiry. */

import type { DisplayProps } from '../../crud/fields/renderers';
import { RelativeTime } from '../../ui/RelativeTime';

export const invitationRenderers = {
  expires_at: ({ value, record }: DisplayProps) =>
    record.accepted ? <span className="sl-nothing">–</span> : <RelativeTime value={String(value)} />,
};

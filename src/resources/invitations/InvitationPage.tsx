import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { invitations } from '../../../schema/entities/invitations';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';

/** The page of an invitation, which can be sent again until it is accepted. */
export function InvitationPage() {
  return (
    <RecordPage
      entity={invitations}
      actions={(record) => !record.accepted && can('invitations', 'edit') && <Resend invitation={record} />}
    />
  );
}

function Resend({ invitation }: { invitation: RaRecord }) {
  const translate = useTranslate();
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await call('POST /invitations/{id}/resend', { params: { id: invitation.id } });
      notify('users.resent', { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="sl-button" disabled={isBusy} onClick={() => void send()}>
      {translate('users.resend')}
    </button>
  );
}

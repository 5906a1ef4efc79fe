import './trackers.css';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmDialog';
import { SecretDialog } from '../../ui/SecretDialog';

/** Creates a new device secret for a tracker; the former one becomes invalid. */
export function NewSecret({ tracker }: { tracker: { id: number; refno: string } }) {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const [secret, setSecret] = useState<string>();
  const make = async () => {
    const yes = await confirm({
      title: `${translate('trackers.new_secret')}: ${tracker.refno}`,
      description: translate('trackers.secret_confirm'),
      button: translate('trackers.new_secret'),
    });
    if (!yes) return;
    try {
      const { data } = await call('POST /trackers/{id}/secret', { params: { id: tracker.id } });
      setSecret(data.secret);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <>
      <button type="button" className="sl-button" onClick={() => void make()}>
        {translate('trackers.new_secret')}
      </button>
      {secret && (
        <SecretDialog
          title={translate('trackers.secret_title')}
          text={translate('trackers.secret_text')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

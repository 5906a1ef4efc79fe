import './trackers.css';
import { useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { NewSecretButton } from '../../ui/NewSecretButton';

/** Creates a new device secret for a tracker; the former secret becomes invalid. */
export function NewSecret({ tracker }: { tracker: { id: number; refno: string } }) {
  const translate = useTranslate();
  const label = translate('trackers.new_secret');
  return (
    <NewSecretButton
      label={label}
      question={{ title: `${label}: ${tracker.refno}`, description: translate('trackers.secret_confirm') }}
      dialog={{ title: translate('trackers.secret_title'), text: translate('trackers.secret_text') }}
      create={() => call('POST /trackers/{id}/secret', { params: { id: tracker.id } })}
    />
  );
}

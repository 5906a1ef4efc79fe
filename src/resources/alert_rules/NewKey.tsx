import { useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { NewSecretButton } from '../../ui/NewSecretButton';

/** Creates a new key for a rule's webhook; the former key becomes invalid. */
export function NewKey({ rule }: { rule: { id: number } }) {
  const translate = useTranslate();
  const label = translate('alerting.new_key');
  return (
    <NewSecretButton
      label={label}
      question={{ title: label, description: translate('alerting.key_confirm') }}
      dialog={{ title: translate('alerting.key_title'), text: translate('alerting.key_text') }}
      create={() => call('POST /alert_rules/{id}/secret', { params: { id: rule.id } })}
    />
  );
}

import { useTranslate } from 'react-admin';
import { SecretDialog } from '../../ui/SecretDialog';

/** Shows new recovery codes once. They replace a lost phone, so the text advises against storing them on it. */
export const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const translate = useTranslate();
  return (
    <SecretDialog
      title={translate('account.codes_title')}
      text={translate('account.codes_text')}
      secret={codes}
      closeLabel={translate('account.codes_kept')}
      onClose={onClose}
    />
  );
};

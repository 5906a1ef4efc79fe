import { useTranslate } from 'react-admin';
import { SecretDialog } from '../../ui/SecretDialog';

/** Shows recovery codes, which belong where the phone is not. */
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

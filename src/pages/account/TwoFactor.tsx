import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { formatDayOf } from '../../i18n/format';
import type { CurrentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { Card } from './Card';
import { RecoveryCodes } from './RecoveryCodes';
import { ConfirmWithCode, SetUpSecondFactor } from './SecondFactorForms';
import { useAccountQuery } from './useAccountQuery';

/** Two-factor login: its state, set-up and reset. */
export const TwoFactor = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useAccountQuery('second-factor', () =>
    call('GET /account/second-factor'),
  );
  const [codes, setCodes] = useState<string[]>();
  if (isPending) return <LoadingNotice what="data" />;
  if (!data)
    return <LoadFailed title={translate('account.not_loaded_list')} error={error} onRetry={() => void refetch()} />;

  const showCodes = async (newCodes: string[]) => {
    setCodes(newCodes);
    await refetch();
  };
  return (
    <div className="sl-cards">
      {data.enabled ? (
        <>
          <Card title={translate('account.tabs.two_factor')}>
            <div className="sl-form">
              <p>{translate('account.factor_on', { date: formatDayOf(data.since ?? '') })}</p>
              <p>{translate('account.codes_left', { smart_count: data.recovery_codes_left })}</p>
            </div>
            <ConfirmWithCode
              user={user}
              label={translate('account.new_codes')}
              toast="toasts.codes_made"
              send={async (body) =>
                showCodes((await call('POST /account/second-factor/recovery-codes', { body })).data.recovery_codes)
              }
            />
          </Card>
          <Card title={translate('account.factor_off')}>
            <p className="sl-card-text">{translate('account.factor_off_text')}</p>
            <ConfirmWithCode
              user={user}
              label={translate('account.factor_off')}
              toast="toasts.factor_off"
              send={async (body) => {
                await call('POST /account/second-factor/off', { body });
                await refetch();
              }}
            />
          </Card>
        </>
      ) : (
        <Card title={translate('account.tabs.two_factor')}>
          <SetUpSecondFactor user={user} onDone={showCodes} />
        </Card>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </div>
  );
};

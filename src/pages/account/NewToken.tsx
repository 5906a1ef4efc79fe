import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { readOnlyPermissions } from '../../../schema/shared/account';
import { call } from '../../providers/call';
import { FormField } from '../../ui/FormField';
import { FormSelect } from '../../ui/FormSelect';
import { SecretDialog } from '../../ui/SecretDialog';
import { useServerForm } from '../../ui/useServerForm';
import { useRules } from '../session/rules';

interface TokenDraft {
  name: string;
  days: string;
  access: 'read' | 'all';
}

const emptyDraft: TokenDraft = { name: '', days: '90', access: 'read' };

/** Creates an API token and shows it once. */
export const NewToken = () => {
  const translate = useTranslate();
  const client = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const { register, fieldAt, submit, isBusy, reset } = useServerForm<TokenDraft>({
    defaults: emptyDraft,
    resolver: useRules<TokenDraft>({ fields: {} }, { labels: { name: translate('account.token_name') } }),
    send: async ({ name, days, access }) => {
      const permissions = access === 'read' ? [...readOnlyPermissions] : null;
      const { data } = await call('POST /account/tokens', { body: { name, days: Number(days), permissions } });
      setSecret(data.token);
      reset(emptyDraft);
      await client.invalidateQueries({ queryKey: ['account', 'tokens'] });
    },
    toast: 'toasts.token_made',
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('account.tokens_text')}</p>
      <FormField
        label={translate('account.token_name')}
        autoComplete="off"
        maxLength={60}
        required
        {...fieldAt('name')}
      />
      <FormSelect label={translate('account.valid_for')} {...register('days')}>
        {[30, 90, 366].map((days) => (
          <option key={days} value={days}>
            {translate('account.days', { smart_count: days })}
          </option>
        ))}
      </FormSelect>
      <fieldset className="sl-radios">
        <legend>{translate('account.token_access')}</legend>
        {(['read', 'all'] as const).map((access) => (
          <label key={access} className="sl-check">
            <input type="radio" value={access} {...register('access')} />
            {translate(`account.token_access_${access}`)}
          </label>
        ))}
      </fieldset>
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
        {translate('account.make_token')}
      </button>
      {secret && (
        <SecretDialog
          title={translate('account.token_title')}
          text={translate('account.token_once')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </form>
  );
};

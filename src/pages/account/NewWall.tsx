import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { wallSeconds, wallViews } from '../../../schema/shared/wall';
import { call } from '../../providers/call';
import { session } from '../../providers/session';
import { useServerConfig } from '../../providers/useServerConfig';
import { defaultSeconds, printWallLink } from '../../providers/wallAddress';
import { FormField } from '../../ui/FormField';
import { FormSelect } from '../../ui/FormSelect';
import { SecretDialog } from '../../ui/SecretDialog';
import { useServerForm } from '../../ui/useServerForm';
import { useRules } from '../session/rules';

/** Creates a wall and shows its link once. The link also contains the views and the seconds per view. */
export const NewWall = () => {
  const translate = useTranslate();
  const client = useQueryClient();
  const base = useServerConfig()?.public_url;
  const [views, setViews] = useState<readonly (typeof wallViews)[number][]>(wallViews);
  const [seconds, setSeconds] = useState<string>(defaultSeconds);
  const [link, setLink] = useState<string>();
  const { fieldAt, submit, isBusy, reset } = useServerForm<{ name: string }>({
    defaults: { name: '' },
    resolver: useRules<{ name: string }>({ fields: {} }, { labels: { name: translate('account.wall_name') } }),
    send: async ({ name }) => {
      const { data } = await call('POST /account/walls', { body: { name } });
      setLink(printWallLink({ base: base ?? '', lang: session.get().lang, views, seconds, token: data.token }));
      reset({ name: '' });
      await client.invalidateQueries({ queryKey: ['account', 'walls'] });
    },
    toast: 'toasts.wall_made',
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('account.walls_text')}</p>
      <FormField
        label={translate('account.wall_name')}
        autoComplete="off"
        maxLength={60}
        required
        {...fieldAt('name')}
      />
      <fieldset className="sl-radios">
        <legend>{translate('account.wall_views')}</legend>
        {wallViews.map((view) => (
          <label key={view} className="sl-check">
            <input
              type="checkbox"
              checked={views.includes(view)}
              // At least one view is required.
              disabled={views.length === 1 && views[0] === view}
              onChange={({ target }) =>
                setViews(wallViews.filter((other) => (other === view ? target.checked : views.includes(other))))
              }
            />
            {translate(`wall.views.${view}`)}
          </label>
        ))}
      </fieldset>
      <FormSelect
        label={translate('account.wall_seconds')}
        value={seconds}
        onChange={({ target }) => setSeconds(target.value)}
      >
        {wallSeconds.map((choice) => (
          <option key={choice} value={choice}>
            {translate('account.seconds', { smart_count: Number(choice) })}
          </option>
        ))}
      </FormSelect>
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy || base === undefined}>
        {translate('account.make_wall')}
      </button>
      {link && (
        <SecretDialog
          title={translate('account.wall_title')}
          text={translate('account.wall_once')}
          secret={link}
          onClose={() => setLink(undefined)}
        />
      )}
    </form>
  );
};

import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import {
  type NotificationChannel,
  type NotificationChoice,
  type NotificationEvent,
  notificationChannels,
  notificationEvents,
} from '../../../schema/shared/notifications';
import type { CurrentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { useServerForm } from '../../ui/useServerForm';
import './account.css';
import { saveProfile } from './saveProfile';

type Cell = `${NotificationEvent}-${NotificationChannel}`;
type ChannelField = `allow_${NotificationChannel}`;
type Settings = Record<Cell | ChannelField, boolean>;

const cellOf = ({ event, channel }: Pick<NotificationChoice, 'event' | 'channel'>): Cell => `${event}-${channel}`;

/** A table of events by channels. The column of a channel that the user has switched off is disabled. */
export const NotificationMatrix = ({
  user,
  choices,
}: {
  user: CurrentUser;
  choices: readonly NotificationChoice[];
}) => {
  const translate = useTranslate();
  const client = useQueryClient();
  const cells = Object.fromEntries(choices.map((choice) => [cellOf(choice), choice.wanted])) as Record<Cell, boolean>;
  const { register, submit, watch, isBusy, formState, reset } = useServerForm<Settings>({
    defaults: { allow_email: user.allow_email, allow_sms: user.allow_sms, ...cells },
    follows: true,
    send: async (values) => {
      const { allow_email, allow_sms } = values;
      const selectedChoices = choices.map(({ event, channel }) => ({
        event,
        channel,
        wanted: values[cellOf({ event, channel })],
      }));
      await call('PUT /account/notifications', { body: { choices: selectedChoices } });
      if (allow_email !== user.allow_email || allow_sms !== user.allow_sms)
        await saveProfile(user, { allow_email, allow_sms });
      reset(values);
      await client.invalidateQueries({ queryKey: ['account', 'notifications'] });
    },
    toast: 'toasts.notifications_updated',
  });
  const isAllowed = { email: watch('allow_email'), sms: watch('allow_sms') };
  return (
    <form className="sl-form" onSubmit={submit}>
      {notificationChannels.map((channel) => (
        <label key={channel} className="sl-check">
          <input type="checkbox" {...register(`allow_${channel}`)} />
          {translate(`account.allow_${channel}`)}
        </label>
      ))}
      {isAllowed.sms && !user.phone && <p className="sl-none">{translate('account.sms_needs_phone')}</p>}
      <table className="sl-choices">
        <thead>
          <tr>
            <th scope="col">{translate('account.tell_me')}</th>
            {notificationChannels.map((channel) => (
              <th key={channel} scope="col">
                {translate(`account.channels.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notificationEvents.map((event) => (
            <tr key={event}>
              <th scope="row">{translate(`account.events.${event}`)}</th>
              {notificationChannels.map((channel) => (
                <td key={channel}>
                  <input
                    type="checkbox"
                    aria-label={`${translate(`account.events.${event}`)}: ${translate(`account.channels.${channel}`)}`}
                    aria-disabled={!isAllowed[channel]}
                    onClick={(click) => {
                      if (!isAllowed[channel]) click.preventDefault();
                    }}
                    {...register(cellOf({ event, channel }))}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy || !formState.isDirty}>
        {translate('account.save')}
      </button>
    </form>
  );
};

import { type ChangeEvent, useRef, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { limits } from '../../../schema/dsl/rules';
import { Avatar } from '../../layout/Avatar';
import type { CurrentUser } from '../../providers/auth';
import { saveProfile } from './saveProfile';

/** The user's photo and the button that replaces it: PNG or JPEG under 2 MB. */
export const Photo = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const label = translate('account.photo');

  const take = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (!file) return;
    const problem = !['image/png', 'image/jpeg'].includes(file.type) ? 'image_type' : file.size >= limits.image ? 'image_size' : undefined;
    if (problem) return notify(translate(`validation.${problem}`, { field: label }), { type: 'error' });
    setBusy(true);
    try {
      await saveProfile(user, { image: file });
      notify('toasts.profile_updated', { type: 'success' });
    } catch (error) {
      console.error(error);
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="sl-photo">
      <Avatar image={user.image} name={`${user.first_name} ${user.last_name}`} size={64} />
      <input ref={input} type="file" accept="image/png,image/jpeg" onChange={take} hidden aria-label={label} />
      <button type="button" className="sl-button" disabled={busy} onClick={() => input.current?.click()}>
        {translate('account.change_photo')}
      </button>
    </div>
  );
};

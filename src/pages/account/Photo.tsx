import { type ChangeEvent, useRef, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import { limits } from '../../../schema/dsl/checks';
import type { CurrentUser } from '../../providers/auth';
import { Avatar } from '../../ui/Avatar';
import { useToast } from '../../ui/useToast';
import { saveProfile } from './saveProfile';

/** The user's photo and a button to replace it: PNG or JPEG under 2 MB. */
export const Photo = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const label = translate('account.photo');

  const handleFile = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (!file) return;
    const problem = !['image/png', 'image/jpeg'].includes(file.type)
      ? 'image_type'
      : file.size >= limits.image
        ? 'image_size'
        : undefined;
    if (problem) return toast('error', translate(`validation.${problem}`, { field: label }));
    setBusy(true);
    try {
      await saveProfile(user, { image: file });
      toast('success', 'toasts.profile_updated');
    } catch (error) {
      console.error(error);
      toast('error', error instanceof HttpError ? error.message : 'errors.generic');
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="sl-photo">
      <Avatar image={user.image} name={`${user.first_name} ${user.last_name}`} size={64} />
      <input ref={input} type="file" accept="image/png,image/jpeg" onChange={handleFile} hidden aria-label={label} />
      <button type="button" className="sl-button" disabled={isBusy} onClick={() => input.current?.click()}>
        {translate('account.change_photo')}
      </button>
    </div>
  );
};

import { registry } from '../../../schema/index';
import { type CurrentUser, refreshUser } from '../../providers/auth';
import { bodyOf } from '../../providers/body';
import { api } from '../../providers/http';

/** Saves the user's own profile, with a photo as a multipart form, and refreshes the session's user. */
export async function saveProfile({ id }: CurrentUser, values: Record<string, unknown>): Promise<void> {
  const body = bodyOf(registry.users, values);
  if (body instanceof FormData) await api(`users/patch/${id}`, { method: 'POST', form: body });
  else await api(`users/${id}`, { method: 'PATCH', body });
  await refreshUser();
}

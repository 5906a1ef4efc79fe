import { registry } from '../../../schema/index';
import { type CurrentUser, refreshUser } from '../../providers/auth';
import { bodyOf } from '../../providers/bodyOf';
import { patchRow } from '../../providers/rows';

/** Saves the user's own profile and refreshes the session's user. Sends a multipart form if there is a photo. */
export async function saveProfile({ id }: CurrentUser, values: Record<string, unknown>): Promise<void> {
  await patchRow('users', id, bodyOf(registry.users, values));
  await refreshUser();
}

import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import { users } from '../../../schema/entities/users';
import { ungrantableFields } from '../../crud/fields/pickerOptions';
import { useOwnClient } from '../../crud/fields/useOwnClient';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { currentUser } from '../../providers/auth';

/** The create form for a user, with one e-mail address; others can be added later. */
export const CreateUser = () => {
  const { isPending, values } = useOwnClient();
  const omittedFields = useMemo(() => ['emails', ...ungrantableFields()], []);
  return isPending ? null : <CreatePage entity={users} omittedFields={omittedFields} defaults={values} />;
};

/** Fields that users can change only in their own account, which asks for the current password. */
const ownAccount = ['password', 'password_confirmation'];

/**
 * The form of a user. Edits the addresses as a list with one primary address, which the server copies to the user's
 * e-mail.
 */
export const EditUser = () => {
  const { id } = useParams();
  const isOwn = Number(id) === currentUser()?.id;
  const omittedFields = useMemo(() => ['email', ...(isOwn ? ownAccount : []), ...ungrantableFields()], [isOwn]);
  return <EditPage entity={users} omittedFields={omittedFields} />;
};

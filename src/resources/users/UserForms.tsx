import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import { users } from '../../../schema/entities/users';
import { notGiven } from '../../crud/fields/offered';
import { useOwnClient } from '../../crud/fields/useOwnClient';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { currentUser } from '../../providers/auth';

/** A new user has one e-mail address; further ones come later. */
export const CreateUser = () => {
  const { isPending, values } = useOwnClient();
  const without = useMemo(() => ['emails', ...notGiven()], []);
  return isPending ? null : <CreatePage entity={users} without={without} defaults={values} />;
};

/** What people change about themselves in their account alone, where the present password is asked for. */
const ownAccount = ['password', 'password_confirmation'];

/**
 * The addresses are asked for as a list, of which one is primary: the server keeps the user's e-mail the same as it.
 */
export const EditUser = () => {
  const { id } = useParams();
  const isOwn = Number(id) === currentUser()?.id;
  const without = useMemo(() => ['email', ...(isOwn ? ownAccount : []), ...notGiven()], [isOwn]);
  return <EditPage entity={users} without={without} />;
};

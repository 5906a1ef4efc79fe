import { useMemo } from 'react';
import { users } from '../../../schema/entities/users';
import { notGiven } from '../parts/offered';
import { useOwnClient } from '../parts/useOwnClient';
import { CreatePage } from '../record/CreatePage';
import { EditPage } from '../record/EditPage';

/** A new user has one e-mail address; further ones come later. */
export const CreateUser = () => {
  const { isPending, values } = useOwnClient();
  const without = useMemo(() => ['emails', ...notGiven()], []);
  return isPending ? null : <CreatePage entity={users} without={without} defaults={values} />;
};

/** The addresses are asked for as a list, of which one is primary: the server keeps the user's e-mail the same as it. */
export const EditUser = () => {
  const without = useMemo(() => ['email', ...notGiven()], []);
  return <EditPage entity={users} without={without} />;
};

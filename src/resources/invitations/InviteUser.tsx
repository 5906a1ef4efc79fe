import { invitations } from '../../../schema/entities/invitations';
import { useOwnClient } from '../parts/useOwnClient';
import { CreatePage } from '../record/CreatePage';

/** The form for an invitation. Who looks after one company alone invites people to that one. */
export const InviteUser = () => {
  const { isPending, values } = useOwnClient();
  return isPending ? null : <CreatePage entity={invitations} defaults={values} back="/users/invitations" />;
};

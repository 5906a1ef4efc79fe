import { users } from '../../../schema/entities/users';
import { CreatePage } from '../record/CreatePage';
import { EditPage } from '../record/EditPage';

/** A new user has one e-mail address; further ones come later. */
export const CreateUser = () => <CreatePage entity={users} without={furtherAddresses} />;

/** The addresses are asked for as a list, of which one is primary: the server keeps the user's e-mail the same as it. */
export const EditUser = () => <EditPage entity={users} without={primaryAddress} />;

const furtherAddresses = ['emails'];
const primaryAddress = ['email'];

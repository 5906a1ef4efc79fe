import type { RaRecord } from 'ra-core';
import { users } from '../../../schema/entities/users';
import { RecordPage } from '../record/RecordPage';
import { AccountActions } from './AccountActions';

/** One user, with what others may do for their account. */
export const UserPage = () => <RecordPage entity={users} actions={(record: RaRecord) => <AccountActions user={record} />} />;

import { roles } from '../../../schema/entities/roles';
import { type Asked, OwnAsks } from '../parts/asked';
import { CreatePage } from '../record/CreatePage';
import { EditPage } from '../record/EditPage';
import { PermissionMatrix } from './PermissionMatrix';

const asks = {
  permission_ids: ({ value, onChange, disabled }: Asked) => (
    <PermissionMatrix chosen={(value as number[] | null) ?? []} onChange={disabled ? undefined : onChange} />
  ),
};

/** The forms for a role, its permissions as a matrix. */
export const EditRole = () => (
  <OwnAsks value={asks}>
    <EditPage entity={roles} />
  </OwnAsks>
);

export const CreateRole = () => (
  <OwnAsks value={asks}>
    <CreatePage entity={roles} />
  </OwnAsks>
);

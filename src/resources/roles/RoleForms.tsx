import { roles } from '../../../schema/entities/roles';
import { type InputProps, InputOverrides } from '../parts/asked';
import { CreatePage } from '../record/CreatePage';
import { EditPage } from '../record/EditPage';
import { PermissionMatrix } from './PermissionMatrix';

const asks = {
  permission_ids: ({ value, onChange, disabled }: InputProps) => (
    <PermissionMatrix chosen={(value as number[] | null) ?? []} onChange={disabled ? undefined : onChange} />
  ),
};

/** The forms for a role, its permissions as a matrix. */
export const EditRole = () => (
  <InputOverrides value={asks}>
    <EditPage entity={roles} />
  </InputOverrides>
);

export const CreateRole = () => (
  <InputOverrides value={asks}>
    <CreatePage entity={roles} />
  </InputOverrides>
);

import { roles } from '../../../schema/entities/roles';
import { InputOverrides, type InputProps } from '../../crud/fields/inputProps';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { PermissionMatrix } from './PermissionMatrix';

const inputOverrides = {
  permission_ids: ({ id, value, onChange, disabled }: InputProps) => (
    <PermissionMatrix
      id={id}
      selectedIds={(value as number[] | null) ?? []}
      onChange={disabled ? undefined : onChange}
    />
  ),
};

/** The form of a role, with its permissions as a matrix. */
export const EditRole = () => (
  <InputOverrides value={inputOverrides}>
    <EditPage entity={roles} />
  </InputOverrides>
);

export const CreateRole = () => (
  <InputOverrides value={inputOverrides}>
    <CreatePage entity={roles} />
  </InputOverrides>
);

import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { roles } from '../../../schema/entities/roles';
import { Details, detailGroups } from '../../crud/record/Details';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { PermissionMatrix } from './PermissionMatrix';
import { RoleActions } from './RoleActions';

/** The page of a role with its permissions. */
export function RolePage() {
  const translate = useTranslate();
  return (
    <RecordPage
      entity={roles}
      actions={(role) => <RoleActions role={role} />}
      details={{ label: translate('record.details'), element: (role) => <RoleDetails role={role} /> }}
    />
  );
}

function RoleDetails({ role }: { role: RaRecord }) {
  const translate = useTranslate();
  const groups = detailGroups(roles).map(({ name, fields }) => ({
    name,
    fields: fields.filter((field) => field !== 'permission_ids'),
  }));
  return (
    <>
      <Details entity={roles} record={role} groups={groups} />
      {can('permissions', 'list') && (
        <div className="sl-section sl-role-permissions">
          <h2>{translate('resources.roles.fields.permission_ids')}</h2>
          <PermissionMatrix selectedIds={(role.permission_ids as number[] | undefined) ?? []} />
        </div>
      )}
    </>
  );
}

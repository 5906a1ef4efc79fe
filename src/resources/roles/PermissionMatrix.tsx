import './matrix.css';
import { useMemo } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { isPermitted } from '../../crud/shared/entities';
import { GroupCheckbox } from './GroupCheckbox';
import { matrixColumns, matrixRows, type Permission } from './matrix';

interface Props {
  /** In a form: id of the element that gets the focus. */
  id?: string;
  selectedIds: readonly number[];
  /** Absent if the matrix is read-only. */
  onChange?: (selectedIds: number[]) => void;
}

/** The permissions of a role: one row per resource, one column per action. Headings toggle whole rows and columns. */
export function PermissionMatrix({ id, selectedIds, onChange }: Props) {
  const translate = useTranslate();
  const { data = [], isPending } = useGetList<Permission>('permissions', {
    pagination: { page: 1, perPage: 1000 },
    sort: { field: 'code_name', order: 'ASC' },
  });
  const rows = useMemo(() => matrixRows(data), [data]);
  const columns = useMemo(() => matrixColumns(rows), [rows]);
  const chosenIds = useMemo(() => new Set(selectedIds), [selectedIds]);
  if (isPending) return <p role="status">{translate('frame.loading')}</p>;

  const setPermissions = (permissions: readonly Permission[], isGranted: boolean) => {
    const ids = new Set(permissions.map(({ id }) => id));
    onChange?.(
      isGranted ? [...selectedIds.filter((id) => !ids.has(id)), ...ids] : selectedIds.filter((id) => !ids.has(id)),
    );
  };
  const group = (label: string, permissions: readonly Permission[]) => {
    // Users cannot grant permissions that they lack.
    const grantable = permissions.filter(({ code_name }) => isPermitted(code_name));
    return (
      <GroupCheckbox
        label={label}
        checkedCount={permissions.filter(({ id }) => chosenIds.has(id)).length}
        count={permissions.length}
        disabled={!onChange || grantable.length === 0}
        // The checkbox stays mixed if the user cannot grant every permission, so its state does not tell what to do.
        onChange={() =>
          setPermissions(
            grantable,
            grantable.some(({ id }) => !chosenIds.has(id)),
          )
        }
      />
    );
  };
  const resource = (name: string) => translate(`resources.${name}.plural`, { _: name });
  const action = (name: string) => translate(`actions.${name}`, { _: name });

  return (
    <section
      id={id}
      className="sl-matrix"
      aria-label={translate('resources.roles.fields.permission_ids')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{translate('users.resource')}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                <span>{action(name)}</span>
                {onChange &&
                  group(
                    `${translate('users.all_resources')}: ${action(name)}`,
                    rows.flatMap(({ actions }) => actions.get(name) ?? []),
                  )}
              </th>
            ))}
            <th scope="col">{translate('users.special')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, actions, special }) => (
            <tr key={name}>
              <th scope="row">
                {onChange &&
                  group(`${resource(name)}: ${translate('users.all_actions')}`, [...actions.values(), ...special])}{' '}
                {resource(name)}
              </th>
              {columns.map((column) => {
                const permission = actions.get(column);
                return (
                  <td key={column}>{permission && group(`${resource(name)}: ${action(column)}`, [permission])}</td>
                );
              })}
              <td className="sl-matrix__special">
                {special.map((permission) => (
                  <span key={permission.id}>
                    {group(`${resource(name)}: ${action(actionOf(permission))}`, [permission])}
                    {action(actionOf(permission))}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const actionOf = ({ code_name }: Permission) => code_name.slice(code_name.indexOf('.') + 1);

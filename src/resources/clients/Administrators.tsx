import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Identifier } from 'ra-core';
import { useNotify, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { users } from '../../../schema/entities/users';
import { namedRoles } from '../../../schema/shared/roles';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { fetchRow, fetchRows, patchRow } from '../../providers/rows';
import { Avatar } from '../../ui/Avatar';
import { useConfirm } from '../../ui/ConfirmProvider';
import { EmailAddress } from '../../ui/EmailAddress';
import { IconButton } from '../../ui/IconButton';
import { AddAdministrator } from './AddAdministrator';

type User = Row<typeof users>;

/** The client's Customer Admins with contact data. Users who may edit the client's users can add and remove them. */
export function Administrators({ clientId }: { clientId: Identifier }) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const confirm = useConfirm();
  const notify = useNotify();
  const client = useQueryClient();
  const { data, isError } = useQuery<User[]>({
    queryKey: ['clients', 'administrators', clientId],
    queryFn: async ({ signal }) =>
      (await fetchRow('clients', clientId, { include: ['administrators'], signal })).data.administrators,
  });
  const mayChange = can('users', 'edit') && can('roles', 'list');
  const refresh = async () => {
    await Promise.all(['clients', 'users'].map((entity) => client.invalidateQueries({ queryKey: [entity] })));
  };
  const remove = async ({ id, first_name, last_name }: User) => {
    const isConfirmed = await confirm({
      title: translate('clients.remove_administrator_title', { name: `${first_name} ${last_name}` }),
      description: translate('clients.remove_administrator_text'),
      button: translate('clients.remove_administrator'),
    });
    if (!isConfirmed) return;
    try {
      await demote(id);
      notify('clients.administrator_removed', { type: 'success' });
      await refresh();
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <section className="sl-section" aria-labelledby="client-administrators">
      <header className="sl-client-head">
        <h2 id="client-administrators">{translate('clients.administrators')}</h2>
        {mayChange && (
          <AddAdministrator clientId={clientId} memberIds={data?.map(({ id }) => id) ?? []} onDone={refresh} />
        )}
      </header>
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {data?.length === 0 && <p>{translate('clients.no_administrators')}</p>}
      <ul className="sl-people">
        {data?.map((user) => {
          const { id, first_name, last_name, email, phone, image } = user;
          const name = `${first_name} ${last_name}`;
          return (
            <li key={id}>
              <Avatar image={image} name={name} size={36} />
              <div>
                <Link to={pathOf('users', id)}>{name}</Link>
                <a href={`mailto:${email}`}>
                  <EmailAddress email={email} />
                </a>
                {phone && <a href={`tel:${phone}`}>{phone}</a>}
              </div>
              {mayChange && (
                <IconButton
                  icon="close"
                  label={translate('clients.remove_administrator_title', { name })}
                  size={16}
                  title={translate('clients.remove_administrator')}
                  onClick={() => void remove(user)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Removes the role. A user without another role becomes an Operator, since every user needs a role. */
async function demote(id: number): Promise<void> {
  const [{ data: user }, { data: allRoles }] = await Promise.all([
    fetchRow('users', id),
    fetchRows('roles', { per_page: 1000, fields: ['id', 'name'] }),
  ]);
  const idOf = (name: string) => allRoles.find((role) => role.name === name)?.id;
  const others = user.role_ids.filter((role) => role !== idOf(namedRoles.customer_admin.name));
  const operator = idOf(namedRoles.operator.name);
  await patchRow(
    'users',
    id,
    { role_ids: others.length > 0 || operator === undefined ? others : [operator] },
    user.version,
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Identifier } from 'ra-core';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { users } from '../../../schema/entities/users';
import { Avatar } from '../../layout/Avatar';
import { api } from '../../providers/http';

type User = Row<typeof users>;

/** The client's Customer Admins and how to reach them. */
export function Administrators({ clientId }: { clientId: Identifier }) {
  const translate = useTranslate();
  const { data, isError } = useQuery<User[]>({
    queryKey: ['clients', 'administrators', clientId],
    queryFn: ({ signal }) =>
      api<{ data: { administrators: User[] } }>(`clients/${clientId}?include=administrators`, { signal }).then(({ data: client }) => client.administrators),
  });
  return (
    <section className="sl-section" aria-labelledby="client-administrators">
      <h2 id="client-administrators">{translate('clients.administrators')}</h2>
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {data?.length === 0 && <p>{translate('clients.no_administrators')}</p>}
      <ul className="sl-people">
        {data?.map(({ id, first_name, last_name, email, phone, image }) => (
          <li key={id}>
            <Avatar image={image} name={`${first_name} ${last_name}`} size={36} />
            <div>
              <Link to={`/users/${id}`}>
                {first_name} {last_name}
              </Link>
              <a href={`mailto:${email}`}>{email}</a>
              {phone && <a href={`tel:${phone}`}>{phone}</a>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Permissions: those the server enforces keep their code name and their place; a new one belongs to the Admins first. */
import { sql } from 'drizzle-orm';
import { codesOf } from '../../schema/index';
import { namedRoles } from '../../schema/roles';
import { Refusal } from '../api/errors';
import type { Services } from '../services';
import type { EntityServer } from './types';

export const permissionsServer: EntityServer = {
  async before({ services, values, current, fail }) {
    if (current && values.code_name !== undefined && isEnforced(services, current.code_name)) fail('code_name', { key: 'prohibited' });
  },

  /** Nobody can give what they do not hold: somebody must hold it. */
  async after({ tx, id, current }) {
    if (current) return;
    await tx.rows(
      sql`insert into roles_permissions (roles_id, permissions_id) select id, ${id} from roles where name = ${namedRoles.admin.name} and deleted_at is null on conflict do nothing`,
    );
  },

  async beforeDelete({ services, current }) {
    if (isEnforced(services, current.code_name)) throw Refusal.conflict();
  },
};

const isEnforced = ({ entities }: Services, code: unknown) => entities.some((entity) => codesOf(entity).some((known) => known === code));

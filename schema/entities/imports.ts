import { entity } from '../dsl/entity';
import { choice, instant, integer, ref, text } from '../dsl/field';
import { importModes, importStates } from '../shared/imports';

const countOptions = { write: false, default: 0 } as const;

/** Import jobs, created by `POST /{resource}/import`. Only the importer and Admins see them. */
export const imports = entity('imports', {
  title: 'file_name',
  fields: {
    file_name: text({ required: true, write: false, max: 200 }),
    resource: text({ required: true, write: false, max: 60 }),
    user_id: ref('users', { required: true, write: false, onDelete: 'cascade' }),
    state: choice(importStates, { write: false, default: 'waiting' }),
    mode: choice(importModes, { write: false, default: 'upsert' }),
    row_count: integer(countOptions),
    create_count: integer(countOptions),
    update_count: integer(countOptions),
    unchanged_count: integer(countOptions),
    error_count: integer(countOptions),
    progress: integer({ write: false, store: 'state', default: 0, unit: 'percent' }),
    finished_at: instant({ write: false }),
  },
  list: {
    columns: [
      'file_name',
      'resource',
      'state',
      'create_count',
      'update_count',
      'unchanged_count',
      'error_count',
      'user_id',
      'created_at',
    ],
    sort: '-created_at',
    search: ['file_name'],
    filters: ['state', 'user_id', 'created_at'],
  },
  grants: {
    admin: ['list', 'show', 'export'],
    country_manager: ['list', 'show', 'export'],
    partner: ['list', 'show', 'export'],
    customer_admin: ['list', 'show', 'export'],
    site_manager: 'none',
    operator: 'none',
  },
  scope: { self: 'user_id' },
});

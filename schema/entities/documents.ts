import { entity } from '../dsl/entity';
import { integer, ref, text } from '../dsl/field';

/** Files about a machine: docx, doc or pdf up to 15 MB. Created by `POST /machines/{id}/documents`. */
export const documents = entity('documents', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 200 }),
    machine_id: ref('machines', { required: true, write: false, onDelete: 'cascade' }),
    media_type: text({ write: false, max: 120 }),
    size: integer({ write: false }),
  },
  list: {
    columns: ['name', 'machine_id', 'media_type', 'size', 'created_at'],
    sort: '-created_at',
    search: ['name'],
    filters: ['machine_id'],
  },
  form: { main: ['name'] },
  grants: {
    admin: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    country_manager: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    partner: ['list', 'show', 'create', 'edit', 'export'],
    customer_admin: ['list', 'show', 'create', 'edit', 'export'],
    site_manager: 'read',
    operator: 'read',
  },
  scope: {
    country: 'machine.fleet.client.country_id',
    client: 'machine.fleet.client_id',
    site: { fleet: 'machine.fleet_id', location: 'machine.location_id' },
    machine: { machine: 'machine_id', fleet: 'machine.fleet_id', location: 'machine.location_id' },
  },
});

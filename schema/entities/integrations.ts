import { entity } from '../dsl/entity';
import { choice, instant, integer, jsonField, ref, text } from '../dsl/field';
import { integrationPresets } from '../shared/mappingPresets';

/**
 * A vendor's cloud that calls `POST /ingest/hooks/{id}` with runs and states of a client's machines. `mapping`
 * describes how to read its messages, instead of the preset. `POST /integrations/{id}/secret` creates its secret, which
 * is stored encrypted.
 */
export const integrations = entity('integrations', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    preset: choice(integrationPresets, { required: true, default: 'custom', help: true }),
    client_id: ref('clients', { required: true, onDelete: 'cascade', help: true }),
    mapping: jsonField('mapping', { help: true }),
    last_received: instant({ write: false, store: 'state' }),
    /** Number of messages that could not be read, or not completely. */
    unread: integer({ write: false, store: 'derived' }),
  },
  list: {
    columns: ['name', 'preset', 'client_id', 'last_received', 'unread'],
    sort: 'name',
    search: ['name'],
    filters: ['preset', 'client_id'],
  },
  form: { main: ['name', 'preset', 'client_id'], reading: ['mapping'] },
  grants: {
    admin: 'all',
    country_manager: 'read',
    partner: 'none',
    customer_admin: 'none',
    site_manager: 'none',
    operator: 'none',
  },
  scope: { country: 'client.country_id', client: 'client_id' },
});

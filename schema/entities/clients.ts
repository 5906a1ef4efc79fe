import { entity } from '../dsl/entity';
import { boolean, email, image, many, phone, ref, tags, text } from '../dsl/field';

/** Customers whose locations are cleaned. Administration pages call them companies. */
export const clients = entity('clients', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    building: text({ required: true, max: 60 }),
    street: text({ required: true, max: 120 }),
    city: text({ required: true, max: 120 }),
    postal_code: text({ required: true, format: 'digits', max: 12 }),
    country_id: ref('countries', { required: true }),
    image: image({ required: 'form', help: true }),
    contact_name: text({ max: 120 }),
    contact_email: email(),
    contact_phone: phone(),
    sms_activation: boolean({ required: true, default: false, help: true }),
    /** Whether the code on a machine opens a page for people without an account. */
    public_reports: boolean({ required: true, default: false, help: true }),
    tags: tags({ help: true }),
    administrators: many('users', 'client_id', { narrowed: true }),
    users: many('users', 'client_id'),
    fleets: many('fleets', 'client_id'),
    locations: many('locations', 'fleet.client_id'),
    machines: many('machines', 'fleet.client_id'),
  },
  list: {
    columns: ['image', 'name', 'city', 'country_id', 'tags', 'fleets', 'machines', 'users'],
    sort: 'name',
    search: ['name', 'city', 'street', 'contact_name', 'tags'],
    filters: ['size', 'country_id', 'tags', 'sms_activation'],
    facets: ['size', 'country_id'],
  },
  buckets: { size: { of: 'machines', from: [0, 51, 101] } },
  form: {
    main: ['name', 'image', 'tags'],
    address: ['street', 'building', 'postal_code', 'city', 'country_id'],
    contact: ['contact_name', 'contact_email', 'contact_phone', 'sms_activation', 'public_reports'],
  },
  alias: ['companies'],
  grants: {
    admin: 'all',
    country_manager: 'write',
    partner: 'write',
    customer_admin: ['list', 'show', 'edit', 'export'],
    site_manager: 'read',
    operator: 'read',
  },
  scope: {
    country: 'country_id',
    client: 'id',
    site: { fleet: 'fleets.id', location: 'fleets.locations.id' },
    machine: { machine: 'fleets.machines.id', fleet: 'fleets.id', location: 'fleets.locations.id' },
  },
});

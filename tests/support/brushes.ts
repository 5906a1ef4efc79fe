import { entity } from '../../schema/dsl/entity';
import { boolean, choice, date, integer, money, ref, refs, tags, text } from '../../schema/dsl/field';

/** An entity of the tests only, written as a contributor would write it in schema/entities/brushes.ts. */
export const brushes = entity('brushes', {
  title: 'code',
  fields: {
    code: text({ required: true, unique: true, min: 3, max: 30 }),
    material: choice(['nylon', 'pad', 'steel'], { required: true, default: 'nylon' }),
    diameter: integer({ min: 1, max: 2000 }),
    price: money({ read: 'brushes.finance', min: 0 }),
    bought: date(),
    line: text({ max: 30 }),
    is_worn: boolean({ required: true, default: false }),
    remarks: tags(),
    machine_id: ref('machines', { required: true }),
    type_ids: refs('types'),
  },
  list: {
    columns: ['code', 'material', 'machine_id'],
    sort: 'code',
    search: ['code', 'machine.serial_number'],
    filters: ['material', 'machine_id'],
  },
  special: ['finance'],
  grants: {
    admin: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export', 'finance'],
    country_manager: 'write',
    partner: 'read',
    customer_admin: 'read',
    site_manager: 'read',
    operator: 'none',
  },
  scope: {
    country: 'machine.fleet.client.country_id',
    client: 'machine.fleet.client_id',
    site: { fleet: 'machine.fleet_id', location: 'machine.location_id' },
  },
});

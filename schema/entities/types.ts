import { entity } from '../dsl/entity';
import { boolean, many, text } from '../dsl/field';

/** Machine types: the model of a cleaning machine. `tracking`: machines of this type carry a tracker. */
export const types = entity('types', {
  title: 'name',
  fields: {
    name: text({ required: true, unique: true, max: 60 }),
    tracking: boolean({ required: true, default: true, help: true }),
    machines: many('machines', 'type_id'),
  },
  list: { columns: ['name', 'tracking'], sort: 'name', search: ['name'], filters: ['tracking'] },
  grants: { admin: 'all', country_manager: 'read', partner: 'read', customer_admin: 'read', site_manager: 'read', operator: 'read' },
  scope: 'global',
});

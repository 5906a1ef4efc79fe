import { entity } from '../dsl/entity';
import { text } from '../dsl/field';

export const countries = entity('countries', {
  title: 'name',
  fields: { name: text({ required: true, unique: true, max: 60 }) },
  list: { columns: ['name'], sort: 'name', search: ['name'] },
  grants: {
    admin: 'all',
    country_manager: 'read',
    partner: 'read',
    customer_admin: 'read',
    site_manager: 'read',
    operator: 'read',
  },
  scope: 'global',
});

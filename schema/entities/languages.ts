import { entity } from '../dsl/entity';
import { text } from '../dsl/field';

export const languages = entity('languages', {
  title: 'name',
  fields: {
    name: text({ required: true, unique: true, max: 60 }),
    two_letter_code: text({ required: true, unique: true, format: 'two_letters' }),
  },
  list: { columns: ['name', 'two_letter_code'], sort: 'name', search: ['name', 'two_letter_code'] },
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

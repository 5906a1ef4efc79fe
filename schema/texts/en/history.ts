/** Who changed what. */
import type { Texts } from '../types';

export const history: Pick<Texts['resources'], 'audit'> = {
  audit: {
    name: 'Change',
    plural: 'History',
    counted: '%{smart_count} change |||| %{smart_count} changes',
    add: 'Add change',
    edit: 'Edit change',
    added: 'Change added',
    changed: 'Change changed',
    deleted: 'Change deleted',
    empty: 'What people create, change and delete appears here.',
    fields: {
      at: 'When',
      user_id: 'User id',
      user_name: 'By',
      as_user_id: 'Acting as (id)',
      as_user_name: 'Acting as',
      action: 'Action',
      entity: 'What',
      record_id: 'Record id',
      record_title: 'Record',
      field: 'Field',
      changes: 'Changes',
    },
    choices: {
      action: {
        create: 'Created',
        edit: 'Changed',
        delete: 'Deleted',
        restore: 'Restored',
        remove: 'Removed for good',
        secret: 'New secret',
        impersonate: 'Viewed as this user',
      },
    },
    help: {},
    groups: {},
    records: { changes: { field: 'Field', before: 'Before', after: 'After' } },
  },
};

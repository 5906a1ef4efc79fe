/** Lists as people like to see them. */
import type { Texts } from '../types';

export const views: Pick<Texts['resources'], 'saved_views'> = {
  saved_views: {
    name: 'Saved view',
    plural: 'Saved views',
    counted: '%{smart_count} saved view |||| %{smart_count} saved views',
    add: 'Save view',
    edit: 'Edit view',
    added: 'View saved',
    changed: 'View changed',
    deleted: 'View deleted',
    empty: 'Filters, columns and order that you save in a list appear here.',
    fields: {
      name: 'Name',
      resource: 'List',
      query: 'Filters and order',
      columns: 'Columns',
      widths: 'Column widths',
      layout: 'Shown as',
      client_id: 'Shared with the client',
      role_id: 'Shared with the role',
      is_default: 'Open the list with this view',
      user_id: 'Owner',
    },
    choices: { layout: { table: 'Table', map: 'Map' } },
    help: {
      client_id: 'Everybody of this client can open the view.',
      role_id: 'Everybody with this role can open the view.',
      is_default: 'For you, or for everybody it is shared with.',
    },
    groups: { main: 'View', shared: 'Shared with', list: 'List' },
  },
};

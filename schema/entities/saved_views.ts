import { entity } from '../dsl/entity';
import { boolean, choice, longtext, ref, tags, text } from '../dsl/field';

/** Layouts of a list. */
export const layouts = ['table', 'map', 'timeline'] as const;

/** A view: which list, which of its rows, and in which layout. */
export interface View {
  id: number;
  name: string;
  resource: string;
  /** Query string of the list dialect. */
  query: string | null;
  columns: string[];
  widths: string[];
}

/**
 * Saved list states: filters, sort, page size and grouping (`by`) as a query string of the list dialect, columns with
 * order and width, and layout. A view is private to its owner until it is shared with a client or a role. Everybody who
 * sees it may open it; only the owner may change it.
 */
export const savedViews = entity('saved_views', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 80 }),
    resource: text({ required: true, max: 60 }),
    query: longtext({ max: 4000 }),
    columns: tags(),
    // In pixels, such as `serial_number:220`; other columns are as wide as their content.
    widths: tags(),
    layout: choice(layouts, { required: true, default: 'table' }),
    client_id: ref('clients', { onDelete: 'cascade', help: true }),
    role_id: ref('roles', { onDelete: 'cascade', help: true }),
    is_default: boolean({ required: true, default: false, help: true }),
    user_id: ref('users', { write: false, onDelete: 'cascade' }),
  },
  list: {
    columns: ['name', 'resource', 'client_id', 'role_id', 'is_default', 'user_id'],
    hidden: ['layout', 'query', 'columns', 'widths', 'created_at', 'updated_at'],
    sort: 'name',
    search: ['name'],
    filters: ['resource', 'client_id', 'role_id', 'is_default', 'user_id'],
  },
  form: {
    main: ['name', 'is_default'],
    shared: ['client_id', 'role_id'],
    list: ['resource', 'query', 'columns', 'widths', 'layout'],
  },
  grants: {
    admin: 'all',
    country_manager: ['list', 'show', 'create', 'edit', 'delete'],
    partner: ['list', 'show', 'create', 'edit', 'delete'],
    customer_admin: ['list', 'show', 'create', 'edit', 'delete'],
    site_manager: ['list', 'show', 'create', 'edit', 'delete'],
    operator: ['list', 'show', 'create', 'edit', 'delete'],
  },
  scope: 'shared',
});

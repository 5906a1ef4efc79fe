import { entity } from '../dsl/entity';
import { boolean, integer, many, number, tags, text } from '../dsl/field';

/**
 * Seconds of silence after which a machine is Offline, from half a minute to a week. If empty, the type's value
 * applies, else the protocol's.
 */
export const silenceLimit = { min: 30, max: 7 * 86_400, unit: 's', help: true } as const;

/** Working width in metres for machines whose type has none. */
export const defaultWorkingWidth = 0.6;

/** Machine types, that is, models of cleaning machines. `tracking`: machines of this type have a tracker. */
export const types = entity('types', {
  title: 'name',
  fields: {
    name: text({ required: true, unique: true, max: 60 }),
    tracking: boolean({ required: true, default: true, help: true }),
    offline_after: integer(silenceLimit),
    /** Daily cleaning time of a machine in good use. */
    optimal_cleaning_time: integer({ min: 60, max: 86_400, unit: 's', help: true }),
    /** Working width; coverage is the path times this width. */
    working_width_m: number({ min: 0.05, max: 10, unit: 'm', help: true }),
    /** Pauses of at least this many seconds end a derived run; if empty, 15 minutes. */
    run_pause: integer({ min: 60, max: 86_400, unit: 's', help: true }),
    /** VDA 5050 action types that count as cleaning; if empty, those of the installation. */
    cleaning_actions: tags({ help: true }),
    /** Maps keys that machines of this type send to ours; a tracker's own rules take precedence. */
    key_rules: tags({ help: true, format: 'key_rule' }),
    machines: many('machines', 'type_id'),
  },
  list: {
    columns: ['name', 'tracking', 'offline_after', 'optimal_cleaning_time'],
    sort: 'name',
    search: ['name'],
    filters: ['tracking'],
  },
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

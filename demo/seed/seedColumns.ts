/** Columns that the demo fills, with their PostgreSQL types. */
const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'text']));
const int = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'int']));
const timestamps = { created_at: 'timestamptz', updated_at: 'timestamptz' };
const booleans = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'boolean']));

export const seedColumns = {
  files: { ...text('name', 'media_type'), ...int('size'), bytes: 'bytea' },
  clients: {
    ...int('id', 'country_id'),
    ...text(
      'name',
      'building',
      'street',
      'city',
      'postal_code',
      'contact_name',
      'contact_email',
      'contact_phone',
      'image',
    ),
    ...booleans('sms_activation'),
    tags: 'text[]',
    ...timestamps,
  },
  fleets: { ...int('id', 'client_id', 'working_radius'), ...text('name', 'color'), ...timestamps },
  locations: {
    ...int('id', 'fleet_id'),
    ...text(
      'name',
      'address',
      'postal_code',
      'city',
      'time_zone',
      'cleaning_plan',
      'contact_name',
      'contact_email',
      'contact_phone',
    ),
    ...timestamps,
    opening_hours: 'jsonb',
    latitude: 'float8',
    longitude: 'float8',
  },
  types: {
    ...int('id', 'optimal_cleaning_time'),
    ...text('name'),
    ...booleans('tracking'),
    working_width_m: 'float8',
    ...timestamps,
  },
  trackers: {
    ...int('id'),
    ...text('refno', 'tracker_or_serial', 'mode', 'status', 'color'),
    ...booleans('is_dummy'),
    ...timestamps,
  },
  machines: {
    ...int(
      'id',
      'type_id',
      'fleet_id',
      'location_id',
      'tracker_id',
      'previous_cleaning_time',
      'previous_charging_time',
      'previous_operating_time',
    ),
    ...text('serial_number', 'reference_number', 'inventory_number', 'inventory_status', 'stock_state', 'note'),
    ...booleans('is_dummy', 'allow_sms', 'allow_email'),
    ...timestamps,
    working_radius_m2: 'float8',
    depreciation_rate: 'float8',
    price: 'numeric',
    total_maintenance_cost: 'numeric',
    purchase_date: 'date',
    last_service: 'date',
    next_service_due: 'date',
  },
  users: {
    ...int('id', 'language_id', 'client_id'),
    ...text('first_name', 'last_name', 'email', 'phone'),
    ...booleans('is_staff', 'allow_sms', 'allow_email'),
    ...timestamps,
  },
  invitations: {
    ...int('id', 'role_id', 'client_id', 'language_id'),
    ...text('email'),
    ...booleans('accepted'),
    expires_at: 'timestamptz',
    ...timestamps,
  },
} satisfies Record<string, Record<string, string>>;

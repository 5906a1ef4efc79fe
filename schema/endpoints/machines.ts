/** Calls about history, locations and costs of a machine, and about machines on a map. */
import Type, { type Static } from 'typebox';
import { boolean, choice, date, longtext, number, text } from '../dsl/field';
import { problemKinds } from '../entities/alerts';
import { stateNames } from '../entities/machines';
import {
  countSchema,
  dataOf,
  daySchema,
  defineEndpoints,
  each,
  idSchema,
  instantSchema,
  nullable,
  oneOf,
  pageOf,
  reported_area_m2,
  rowOf,
} from './endpoint';
import { sheetFields, sheetMedia } from './sheet';

export const timeGroups = ['day', 'week', 'month'] as const;
export const logLevels = ['info', 'warning', 'error'] as const;

const machineEndpoint = { tag: 'machines', permission: 'machines.show', row: 'machines' } as const;
const financeEndpoint = { ...machineEndpoint, permission: ['machines.finance', 'machines.show'] } as const;
const days = { from: date(), to: date() };
/** Moments in ISO 8601, or local days of the machine's location. */
const instants = { from: text(), to: text() };
const groupedDays = { group: choice(timeGroups, { default: 'day' }), ...days };

const percentSchema = Type.Integer({ minimum: 0, maximum: 100 });
const decimalSchema = Type.String({ description: 'EUR, a decimal string' });
const position = { latitude: Type.Number(), longitude: Type.Number() };

/** Sums of a day, week or month; times in seconds. States are those of the timeline. */
const StatisticsSchema = Type.Object({
  from: daySchema,
  to: daySchema,
  ...each(['cleaning', 'charging', 'parked', 'online', 'offline', 'robotic', 'manual', 'teaching'], countSchema),
  area_m2: Type.Number(),
  reported_area_m2,
  distance_m: Type.Number(),
  messages: countSchema,
});
const BatterySchema = Type.Object({
  from: daySchema,
  to: daySchema,
  lowest: percentSchema,
  average: percentSchema,
  highest: percentSchema,
});
/** `from` is null for the first stay, `to` for the current one, `location` for locations out of scope. */
const StaySchema = Type.Object({
  location: nullable(Type.Object({ id: idSchema, name: Type.String(), city: nullable(Type.String()) })),
  from: nullable(instantSchema),
  to: nullable(instantSchema),
});
const SegmentSchema = Type.Object({
  state: oneOf(stateNames),
  mode: nullable(Type.String()),
  from: instantSchema,
  to: nullable(instantSchema),
  reason: nullable(Type.String({ description: "In the reader's language" })),
  source: nullable(Type.String({ description: 'Protocol of the message; null without one' })),
});
const TrackPointSchema = Type.Object({
  at: instantSchema,
  ...position,
  speed: nullable(Type.Number({ description: 'm/s' })),
  heading: nullable(Type.Number({ description: 'degrees clockwise from north' })),
  state: nullable(Type.String()),
});
const BookValueSchema = Type.Object({
  on: daySchema,
  price: nullable(decimalSchema),
  depreciation_rate: nullable(Type.Number()),
  purchase_date: nullable(daySchema),
  book_value: nullable(decimalSchema),
});
const PlanSchema = Type.Object({
  id: idSchema,
  name: Type.String(),
  own: Type.Boolean({ description: "The machine's own plan, not its type's" }),
  every_months: nullable(Type.Integer()),
  every_hours: nullable(Type.Integer()),
  due: nullable(daySchema),
  reason: Type.String(),
});
export type ServicePlanForecast = Static<typeof PlanSchema>;
const ServiceSchema = Type.Object({
  due: nullable(daySchema),
  overdue: Type.Boolean(),
  reason: nullable(Type.String()),
  plans: Type.Array(PlanSchema),
});
const CostsSchema = Type.Object({
  from: daySchema,
  to: daySchema,
  service: decimalSchema,
  depreciation: decimalSchema,
  total: decimalSchema,
  cleaning: countSchema,
  area_m2: Type.Number(),
  per_cleaning_hour: nullable(decimalSchema),
  per_m2: nullable(decimalSchema),
});
const MapSchema = Type.Object({
  /** Machines that are too close together to be drawn individually. */
  clusters: Type.Array(
    Type.Object({
      ...position,
      count: countSchema,
      states: Type.Partial(Type.Object(each(stateNames, countSchema))),
      bbox: Type.Unsafe<[number, number, number, number]>({
        type: 'array',
        items: { type: 'number' },
        minItems: 4,
        maxItems: 4,
        description: 'West, south, east, north',
      }),
    }),
  ),
  points: Type.Array(
    Type.Object({
      id: idSchema,
      serial_number: Type.String(),
      status: oneOf(stateNames),
      ...position,
      battery: nullable(percentSchema),
      fleet_color: nullable(Type.String()),
    }),
  ),
  total: countSchema,
});
export type MapResult = Static<typeof MapSchema>;
const LogSchema = Type.Object({
  id: Type.Integer(),
  at: instantSchema,
  level: oneOf(logLevels),
  text: Type.String({ description: "In the reader's language" }),
});

export const machineEndpoints = defineEndpoints({
  'GET /machines/{id}/logs': {
    ...machineEndpoint,
    summary: 'Events of a machine',
    dialect: ['filter', 'sort', 'page'],
    replica: true,
    response: pageOf(LogSchema),
    refuses: [400, 401, 403, 404],
  },
  'GET /machines/{id}/logs/export': {
    ...machineEndpoint,
    summary: 'Events of a machine as a file',
    permission: ['machines.export', 'machines.show'],
    query: sheetFields,
    dialect: ['filter', 'sort', 'page'],
    replica: true,
    media: sheetMedia,
    refuses: [400, 401, 403, 404, 422],
  },
  'GET /machines/{id}/timeline': {
    ...machineEndpoint,
    summary: 'Timeline of a machine, as segments',
    query: instants,
    replica: true,
    response: dataOf(Type.Array(SegmentSchema)),
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/track': {
    ...machineEndpoint,
    summary: 'Track of a machine',
    query: instants,
    replica: true,
    response: dataOf(Type.Array(TrackPointSchema)),
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/statistics': {
    ...machineEndpoint,
    summary: 'Times per day, week or month in seconds',
    query: groupedDays,
    replica: true,
    response: dataOf(Type.Array(StatisticsSchema)),
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/battery': {
    ...machineEndpoint,
    summary: 'Battery per day, week or month in percent: lowest, average, highest',
    query: groupedDays,
    replica: true,
    response: dataOf(Type.Array(BatterySchema)),
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/stays': {
    ...machineEndpoint,
    summary:
      'Locations of the machine, latest first; `from` is null for the first one, `to` for the current one, ' +
      '`location` out of scope',
    replica: true,
    response: dataOf(Type.Array(StaySchema)),
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/book_value': {
    ...financeEndpoint,
    summary: 'Book value on a day',
    query: { on: date() },
    response: dataOf(BookValueSchema),
    refuses: [401, 403, 404, 422],
  },
  'POST /machines/{id}/problems': {
    ...machineEndpoint,
    summary: 'Report a problem: opens an alert without a rule and notifies those responsible; at most 20 an hour',
    permission: ['machines.report', 'machines.show'],
    body: {
      problem: choice(problemKinds, { required: true }),
      report: longtext({ required: true, max: 2000 }),
      is_out_of_use: boolean(),
    },
    labels: 'alerts',
    status: 201,
    response: dataOf(rowOf('alerts')),
    refuses: [401, 403, 404, 409, 422, 429],
  },
  'GET /machines/{id}/qr.svg': {
    ...machineEndpoint,
    summary: "QR code of the machine's own page",
    media: 'image/svg+xml',
    refuses: [401, 403, 404],
  },
  'GET /machines/map': {
    summary: 'Machines in a bounding box, as clusters and points',
    tag: 'machines',
    wall: true,
    permission: 'machines.list',
    query: { bbox: text(), zoom: number({ min: 0, max: 22, default: 2 }) },
    dialect: ['filter'],
    replica: true,
    response: dataOf(MapSchema),
    refuses: [400, 401, 403, 422],
  },
  'GET /machines/{id}/service': {
    ...machineEndpoint,
    summary: 'When the next service is due, and why',
    response: dataOf(ServiceSchema),
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/costs': {
    ...financeEndpoint,
    summary: 'Service and depreciation of a period, per cleaning hour and per square metre',
    query: days,
    replica: true,
    response: dataOf(CostsSchema),
    refuses: [401, 403, 404, 422],
  },
});

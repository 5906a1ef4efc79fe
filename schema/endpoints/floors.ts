/** Calls about floors: coverage by one run or by all runs, plans, and maps of robots. */
import Type, { type Static } from 'typebox';
import { date, text } from '../dsl/field';
import { shapeLimits } from '../dsl/shapes';
import { countSchema, dataOf, defineEndpoints, idSchema, instantSchema, nullable } from './endpoint';

const metresSchema = Type.Number({ description: 'metres on the floor' });
const squareMetresSchema = nullable(Type.Number());

/**
 * Areas count within zones to be cleaned, without no-go zones. Without zones to be cleaned, every area that the machine
 * passed counts, and `missed_m2` is null. `twice_m2`: passed more than twice. `covered`: share from 0 to 1. `reason`
 * explains why figures are null. `width_m`: width of the tool, according to the machine's type.
 */
const coverageFields = {
  floor_id: nullable(idSchema),
  covered_m2: squareMetresSchema,
  twice_m2: squareMetresSchema,
  missed_m2: squareMetresSchema,
  zones: Type.Array(Type.Object({ id: idSchema, covered: Type.Number() })),
  image: nullable(Type.String({ description: 'PNG as data URL; the y axis of the floor points up' })),
  bounds: nullable(
    Type.Object(
      { x: metresSchema, y: metresSchema, width: metresSchema, height: metresSchema },
      { description: 'Area that the image shows' },
    ),
  ),
  positions: countSchema,
  reason: nullable(Type.String({ description: "In the reader's language" })),
};
const RunCoverageSchema = Type.Object({ ...coverageFields, width_m: Type.Number() });
const FloorCoverageSchema = Type.Object({ ...coverageFields, runs: countSchema });
export type RunCoverage = Static<typeof RunCoverageSchema>;
export type FloorCoverage = Static<typeof FloorCoverageSchema>;

const FloorPositionSchema = Type.Object({
  at: instantSchema,
  x: metresSchema,
  y: metresSchema,
  theta: nullable(Type.Number({ description: 'radians, counter-clockwise from the x axis of the floor' })),
  speed: nullable(Type.Number({ description: 'm/s' })),
  state: Type.String(),
  battery: nullable(Type.Number()),
});

const ZoneCleaningSchema = Type.Object({
  zone_id: idSchema,
  cleaned_at: nullable(instantSchema),
  due_on: nullable(Type.String({ format: 'date', description: 'According to `every_days`; null without a plan' })),
  days_overdue: countSchema,
});
export type ZoneCleaning = Static<typeof ZoneCleaningSchema>;

const RobotMapSchema = Type.Object({
  map_id: Type.String(),
  positions: Type.Integer({
    description:
      'Number of positions in the latest 1,000 messages of each of up to 20 machines, not older than 30 days',
  }),
  last_seen_at: instantSchema,
  machines: Type.Array(Type.Object({ id: idSchema, serial_number: Type.String() })),
});
export type RobotMap = Static<typeof RobotMapSchema>;

/** Position of a machine whose latest position is on a map linked to a floor of its location. */
const MachineOnFloorSchema = Type.Object({ floor_id: idSchema, ...FloorPositionSchema.properties });
export type MachineOnFloor = Static<typeof MachineOnFloorSchema>;

const runEndpoint = { tag: 'runs', permission: 'runs.show', row: 'runs', refuses: [401, 403, 404] } as const;
const floorEndpoint = { tag: 'floors', permission: 'floors.show', row: 'floors' } as const;

export const floorEndpoints = defineEndpoints({
  'GET /runs/{id}/coverage': {
    ...runEndpoint,
    summary: 'Coverage of a run: its path times the working width',
    response: dataOf(RunCoverageSchema),
  },
  'GET /runs/{id}/path': {
    ...runEndpoint,
    summary: 'Positions of a run on its floor, at most 10,000 of them',
    replica: true,
    response: dataOf(Type.Array(FloorPositionSchema)),
  },
  'GET /machines/{id}/floor': {
    tag: 'machines',
    permission: 'machines.show',
    row: 'machines',
    summary: 'Position of a machine on a floor of its location; null if its last positions are on no known floor',
    response: dataOf(nullable(MachineOnFloorSchema)),
    refuses: [401, 403, 404],
  },
  'GET /floors/{id}/coverage': {
    ...floorEndpoint,
    summary: 'Joint coverage of the runs of a period, by default of the last seven days',
    permission: ['floors.show', 'runs.list'],
    query: { from: date(), to: date() },
    response: dataOf(FloorCoverageSchema),
    refuses: [401, 403, 404, 422],
  },
  'GET /floors/{id}/zone-cleanings': {
    ...floorEndpoint,
    summary:
      'When runs last covered at least half of each zone within a day; only runs with positions on the floor count',
    permission: ['floors.show', 'runs.list'],
    response: dataOf(Type.Array(ZoneCleaningSchema)),
    refuses: [401, 403, 404],
  },
  'GET /floors/{id}/robot-maps': {
    ...floorEndpoint,
    summary: 'Maps that machines at the location of a floor report and that are linked to none of its floors',
    permission: ['floors.show', 'machines.show'],
    response: dataOf(Type.Array(RobotMapSchema)),
    refuses: [401, 403, 404],
  },
  'GET /floors/{id}/robot-maps/path': {
    ...floorEndpoint,
    summary: 'Recent positions on one map of the machines at the location of a floor, at most 2,000',
    permission: ['floors.show', 'machines.show'],
    query: { map_id: text({ required: true, max: shapeLimits.words }) },
    replica: true,
    response: dataOf(Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }, { description: 'On the map' }))),
    refuses: [401, 403, 404, 422],
  },
  'GET /floors/{id}/plan': {
    ...floorEndpoint,
    summary: 'The plan of a floor, as PNG or JPEG; it covers the width and height of the floor',
    media: 'image/png',
    refuses: [401, 403, 404],
  },
  'POST /floors/{id}/plan': {
    ...floorEndpoint,
    summary: "Set the plan of a floor (PNG, JPEG, SVG, a `page` of a PDF, a robot's map of Valetudo; up to 20 MB)",
    permission: 'floors.edit',
    upload: true,
    status: 201,
    response: dataOf(
      Type.Object({
        media_type: Type.String(),
        width: countSchema,
        height: countSchema,
        size: countSchema,
        pages: nullable(countSchema),
        zones: countSchema,
      }),
    ),
    refuses: [401, 403, 404, 413, 415, 422],
  },
  'DELETE /floors/{id}/plan': {
    ...floorEndpoint,
    summary: 'Remove the plan of a floor',
    permission: 'floors.edit',
    refuses: [401, 403, 404],
  },
});

/** Calls beyond CRUD as OpenAPI paths. A test compares the table with the registered routes. */

import { siteDayStates } from '../../schema/features/calendar';
import type { Call } from './call';
import { endpointPaths } from './endpointPaths';
import { data, json, reference, refusals } from './operationParts';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };
const id: Schema = { type: 'integer', minimum: 1 };
const number: Schema = { type: 'number' };
const siteCalendar: Schema = {
  allOf: [
    reference('Page'),
    {
      type: 'object',
      properties: {
        data: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'name', 'city', 'planned_area_m2', 'days'],
            properties: {
              id,
              name: text,
              city: { type: ['string', 'null'] },
              planned_area_m2: number,
              days: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['day', 'state', 'area_m2', 'cleaning'],
                  properties: {
                    day: { type: 'string', format: 'date' },
                    state: { type: ['string', 'null'], enum: [...siteDayStates, null] },
                    area_m2: number,
                    cleaning: { ...number, description: 'seconds' },
                  },
                },
              },
            },
          },
        },
      },
    },
  ],
};

const observation: Schema = {
  type: 'object',
  properties: {
    at: {
      description: 'ISO 8601 with an offset, or seconds or milliseconds since 1970; without it the time of receipt',
      oneOf: [text, number],
    },
    latitude: number,
    longitude: number,
    speed: { ...number, description: 'm/s' },
    heading: { ...number, description: 'degrees clockwise from north' },
    accuracy: { ...number, description: 'metres' },
    altitude: { ...number, description: 'metres' },
    battery: { ...number, description: 'percent' },
    charging: { type: 'boolean' },
    is_moving: { type: 'boolean' },
    status: { type: 'string', enum: ['charging', 'cleaning', 'parked', 'online'] },
    mode: { type: 'string', enum: ['robotic', 'manual', 'teaching'] },
    odometer: { ...number, description: 'metres, a counter' },
    area: { ...number, description: 'square metres since the last message' },
    area_total: { ...number, description: 'square metres, a counter' },
    error: text,
    message: text,
  },
  additionalProperties: { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
};

/** Call by `METHOD path`. Paths are relative to /api/v1. */
export const calls: Readonly<Record<string, Call>> = {
  'GET /calendar': { summary: 'Whether the user has a calendar address', tag: 'calendar', refuses: [401] },
  'POST /calendar': {
    summary: 'Make a new secret calendar address, shown once; the one before is dead',
    tag: 'calendar',
    status: 201,
    refuses: [401, 403],
  },
  'DELETE /calendar': { summary: 'Revoke the calendar address', tag: 'calendar', status: 204, refuses: [401] },
  'GET /calendar/{token}/services.ics': {
    summary: 'The due services within reach of the user whose address it is (RFC 5545)',
    tag: 'calendar',
    answers: 'text/calendar',
    refuses: [404],
    open: true,
  },
  'POST /trackers/{id}/secret': {
    summary: 'Make a new device secret, shown once',
    tag: 'trackers',
    response: data({ type: 'object', required: ['secret'], properties: { secret: text } }),
    refuses: [401, 403, 404],
  },
  'POST /trackers/{id}/assign': {
    summary: 'Give a tracker to a machine',
    tag: 'trackers',
    body: { machine_id: id },
    response: data(reference('trackers')),
    refuses: [401, 403, 404, 409, 422],
  },
  'GET /locations/calendar': {
    summary: 'Sites day by day: cleaned, partly, missed, planned',
    tag: 'locations',
    query: ['from', 'to', 'state', 'day', 'per_page', 'page', 'filter'],
    response: siteCalendar,
    refuses: [400, 401, 403, 422],
  },
  'POST /locations/{id}/move': {
    summary: 'Move a location with its machines to another fleet',
    tag: 'locations',
    body: { fleet_id: id },
    response: data(reference('locations')),
    refuses: [401, 403, 404, 422],
  },
  'POST /ingest': {
    summary:
      'Observations of a device: an array, one alone, or one per line; with its secret as Bearer. All are taken ' +
      'or none; each counts once',
    tag: 'trackers',
    takes: { oneOf: [{ type: 'array', items: observation, maxItems: 10_000 }, observation] },
    secured: 'device',
    refuses: [400, 401, 404, 409, 413, 422],
  },
};

export function callPaths(): Record<string, Record<string, Schema>> {
  const paths = endpointPaths();
  for (const [key, call] of Object.entries(calls)) {
    const [method = 'GET', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(key, path, call) };
  }
  return paths;
}

function operationOf(
  key: string,
  path: string,
  {
    summary,
    tag,
    body,
    optional = [],
    query = [],
    answers,
    status = 200,
    response = { type: 'object' },
    refuses,
    open,
    file,
    takes,
    secured,
  }: Call,
): Schema {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'token' ? text : id,
  }));
  const inQuery = query.map((name) =>
    name === 'filter'
      ? {
          name,
          in: 'query',
          style: 'deepObject',
          explode: true,
          schema: { type: 'object', additionalProperties: text },
        }
      : { name, in: 'query', schema: text },
  );
  const content = answers ? { [answers]: { schema: text } } : json(response);
  const taken = body && {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: Object.keys(body).filter((name) => !optional.includes(name)),
          properties: body,
        },
      },
    },
  };
  const whole = takes && { content: { 'application/json': { schema: takes } } };
  const uploaded = file && {
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        },
      },
    },
  };
  return {
    operationId: key
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/_$/, ''),
    summary,
    tags: [tag],
    ...(open && { security: [] }),
    ...([...inPath, ...inQuery].length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(secured && { security: [{ [secured]: [] }] }),
    ...((taken || whole || uploaded) && { requestBody: { required: true, ...(taken || whole || uploaded) } }),
    responses: {
      [status]: status === 204 ? { description: 'Done' } : { description: summary, content },
      ...refusals(...refuses),
    },
  };
}

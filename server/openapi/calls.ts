/**
 * The calls beyond CRUD, as OpenAPI paths: one short table, kept true by a test that compares it with the registered
 * routes.
 */
import { problemKinds } from '../../schema/entities/alerts';
import { accountCalls } from './accountCalls';
import type { Call } from './call';
import { importCalls } from './importCalls';
import { refusals } from './paths';
import { peopleCalls } from './peopleCalls';
import { reportCalls } from './reportCalls';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };
const id: Schema = { type: 'integer', minimum: 1 };
const number: Schema = { type: 'number' };
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
const passwords = { password: text, password_confirmation: text };

/** `METHOD path` to what it is. Paths are relative to /api/v1. */
export const calls: Readonly<Record<string, Call>> = {
  ...peopleCalls,
  ...importCalls,
  ...reportCalls,
  'POST /login': {
    summary: 'Log in',
    tag: 'session',
    body: { email: text, password: text },
    refuses: [422, 429],
    open: true,
  },
  'POST /users/logout': { summary: 'Log out; the token is dead at once', tag: 'session', status: 204, refuses: [401] },
  'POST /users/forgotPassword': {
    summary: 'Ask for a mail to reset the password',
    tag: 'session',
    body: { email: text },
    refuses: [422, 429],
    open: true,
  },
  'POST /users/verifyResetPassword': {
    summary: 'Set a new password by the token or the code of the mail',
    tag: 'session',
    body: { token: text, email: text, code: text, ...passwords },
    optional: ['token', 'email', 'code'],
    refuses: [422, 429],
    open: true,
  },
  'PUT /users/{id}/language': {
    summary: 'Change the language of a user',
    tag: 'session',
    body: { language_id: id },
    refuses: [401, 403, 404, 422],
  },
  'GET /languages/{id}/token': {
    summary: 'The user token after a change of language',
    tag: 'session',
    refuses: [401, 404],
  },
  'GET /languages/all': {
    summary: 'All languages',
    tag: 'languages',
    query: ['sort', 'per_page', 'page'],
    refuses: [400, 401, 403],
  },
  'POST /users/{id}/password': {
    summary: 'Change the own password; other sessions end',
    tag: 'session',
    body: { current_password: text, ...passwords },
    refuses: [401, 403, 404, 422],
  },
  'GET /users/refreshInformationAboutUser/{id}': {
    summary: 'A user with a fresh user token',
    tag: 'session',
    refuses: [401, 403, 404],
  },
  'GET /users/getUsersByCompanyCustomerAdmin/{clientId}': {
    summary: 'Users of a client',
    tag: 'users',
    query: ['per_page', 'page', 'filter', 'include'],
    refuses: [400, 401, 403, 404],
  },
  'GET /invitations/token/{token}': {
    summary: 'The invitation behind a link',
    tag: 'session',
    refuses: [404],
    open: true,
  },
  'POST /invitations/accept': {
    summary: 'Accept an invitation and log in',
    tag: 'session',
    body: { token: text, first_name: text, last_name: text, ...passwords },
    refuses: [404, 422],
    open: true,
  },
  'POST /invitations/{id}/resend': {
    summary: 'Send an invitation again',
    tag: 'invitations',
    refuses: [401, 403, 404, 409],
  },
  'GET /machines/{id}/logs': {
    summary: 'Events of a machine',
    tag: 'machines',
    query: ['per_page', 'page', 'sort', 'filter'],
    refuses: [400, 401, 403, 404],
  },
  'GET /machines/{id}/logs/export': {
    summary: 'Events of a machine as a file',
    tag: 'machines',
    query: ['format', 'delimiter', 'filter'],
    answers: 'text/csv',
    refuses: [400, 401, 403, 404],
  },
  'GET /machines/{id}/timeline': {
    summary: 'What a machine did, as segments',
    tag: 'machines',
    query: ['from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/track': {
    summary: 'Where a machine was',
    tag: 'machines',
    query: ['from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/statistics': {
    summary: 'Times per day, week or month in seconds',
    tag: 'machines',
    query: ['group', 'from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/battery': {
    summary: 'Battery per day, week or month in percent: lowest, average, highest',
    tag: 'machines',
    query: ['group', 'from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/stays': {
    summary:
      'Where the machine stood, the latest first; `from` is null since it was entered, `to` while it stands there, `location` out of reach',
    tag: 'machines',
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/book_value': {
    summary: 'Book value on a day',
    tag: 'machines',
    query: ['on'],
    refuses: [401, 403, 404, 422],
  },
  'POST /machines/{id}/problems': {
    summary:
      'Report a problem: opens an alert without a rule and tells those responsible for the machine; 20 an hour at most',
    tag: 'machines',
    body: { problem: { type: 'string', enum: [...problemKinds] }, report: text, is_out_of_use: { type: 'boolean' } },
    optional: ['is_out_of_use'],
    status: 201,
    refuses: [401, 403, 404, 409, 422, 429],
  },
  'GET /machines/{id}/qr.svg': {
    summary: "QR code of the machine's own page",
    tag: 'machines',
    answers: 'image/svg+xml',
    refuses: [401, 403, 404],
  },
  'GET /machines/map': {
    summary: 'Clusters and points of a bounding box',
    tag: 'machines',
    query: ['bbox', 'zoom', 'filter'],
    refuses: [400, 401, 403, 422],
  },
  'POST /machines/{id}/documents': {
    summary: 'Add a document (docx, doc, pdf up to 15 MB)',
    tag: 'documents',
    file: true,
    status: 201,
    refuses: [401, 403, 404, 413, 422],
  },
  'GET /documents/{id}/file': {
    summary: 'The file of a document',
    tag: 'documents',
    answers: 'application/octet-stream',
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/service': {
    summary: 'When the next service is due, and why',
    tag: 'machines',
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/costs': {
    summary: 'Service and depreciation of a period, per cleaning hour and per square metre',
    tag: 'machines',
    query: ['from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'POST /service_entries/{id}/file': {
    summary: 'Add or replace the file of a service entry (docx, doc, pdf, jpg, png up to 15 MB)',
    tag: 'service_entries',
    file: true,
    status: 201,
    refuses: [401, 403, 404, 413, 422],
  },
  'GET /service_entries/{id}/file': {
    summary: 'The file of a service entry',
    tag: 'service_entries',
    answers: 'application/octet-stream',
    refuses: [401, 403, 404],
  },
  'DELETE /service_entries/{id}/file': {
    summary: 'Remove the file of a service entry',
    tag: 'service_entries',
    status: 204,
    refuses: [401, 403, 404],
  },
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
    refuses: [401, 403, 404],
  },
  'POST /trackers/{id}/assign': {
    summary: 'Give a tracker to a machine',
    tag: 'trackers',
    body: { machine_id: id },
    refuses: [401, 403, 404, 409, 422],
  },
  'GET /locations/calendar': {
    summary: 'Sites day by day: cleaned, partly, missed, planned',
    tag: 'locations',
    query: ['from', 'to', 'state', 'day', 'per_page', 'page', 'filter'],
    refuses: [400, 401, 403, 422],
  },
  'POST /locations/{id}/move': {
    summary: 'Move a location with its machines to another fleet',
    tag: 'locations',
    body: { fleet_id: id },
    refuses: [401, 403, 404, 422],
  },
  'POST /ingest': {
    summary:
      'Observations of a device: an array, one alone, or one per line; with its secret as Bearer. All are taken or none; each counts once',
    tag: 'trackers',
    takes: { oneOf: [{ type: 'array', items: observation, maxItems: 10_000 }, observation] },
    secured: 'device',
    refuses: [400, 401, 404, 409, 413, 422],
  },
  'POST /alert_rules/preview': {
    summary:
      'How often a rule would have fired in the last 30 days; takes what POST /alert_rules takes and keeps nothing',
    tag: 'alert_rules',
    takes: { type: 'object' },
    refuses: [400, 401, 403, 422],
  },
  'POST /alert_rules/{id}/secret': {
    summary: 'Make a new key that signs the webhook, shown once',
    tag: 'alert_rules',
    refuses: [401, 403, 404],
  },
  'POST /alerts/{id}/acknowledge': {
    summary: 'Say that somebody is on it: reminders stop',
    tag: 'alerts',
    body: { comment: text },
    optional: ['comment'],
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /alerts/{id}/close': {
    summary: 'Close an alert',
    tag: 'alerts',
    body: { comment: text },
    optional: ['comment'],
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /alerts/{id}/comments': {
    summary: 'Write a comment',
    tag: 'alerts',
    body: { comment: text },
    status: 201,
    refuses: [401, 403, 404, 422],
  },
  'GET /alerts/{id}/notes': {
    summary: 'What people did and wrote, oldest first',
    tag: 'alerts',
    refuses: [401, 403, 404],
  },
  'GET /dashboard': { summary: 'Figures of the dashboard', tag: 'dashboard', refuses: [401] },
  'GET /search': {
    summary: 'A few rows of every entity that hold the words, within reach',
    tag: 'search',
    query: ['q'],
    refuses: [401],
  },
  'GET /config': {
    summary: 'What the browser needs to know: tiles of the map, most rows of an import',
    tag: 'dashboard',
    refuses: [401],
  },
  'GET /demo': {
    summary: 'Logins of the demo, one per role; 404 outside it',
    tag: 'session',
    refuses: [404],
    open: true,
  },
  'GET /events': {
    summary: 'Live events (server-sent events)',
    tag: 'live',
    query: ['ticket', 'count'],
    answers: 'text/event-stream',
    refuses: [401],
  },
  'POST /events/ticket': { summary: 'A short-lived ticket for GET /events', tag: 'live', refuses: [401] },
  ...accountCalls,
};

export function callPaths(): Record<string, Record<string, Schema>> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [key, call] of Object.entries(calls)) {
    const [method = 'GET', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(key, path, call) };
  }
  return paths;
}

function operationOf(
  key: string,
  path: string,
  { summary, tag, body, optional = [], query = [], answers, status = 200, refuses, open, file, takes, secured }: Call,
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
  const content = answers ? { [answers]: { schema: text } } : { 'application/json': { schema: { type: 'object' } } };
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

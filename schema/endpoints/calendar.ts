/** Calls about the address from which calendar programs read due services. */
import Type from 'typebox';
import { text } from '../dsl/field';
import { dataOf, defineEndpoints, instantSchema, nullable } from './endpoint';

export const calendarEndpoints = defineEndpoints({
  'GET /calendar': {
    summary: 'Whether the user has a calendar address',
    tag: 'calendar',
    response: dataOf(Type.Object({ created_at: nullable(instantSchema) })),
    refuses: [401],
  },
  'POST /calendar': {
    summary: 'Create a new secret calendar address, shown once; invalidates the previous one',
    tag: 'calendar',
    interactive: true,
    permission: 'machines.list',
    status: 201,
    response: dataOf(Type.Object({ url: Type.String() })),
    refuses: [401, 403],
  },
  'DELETE /calendar': {
    summary: 'Revoke the calendar address',
    tag: 'calendar',
    interactive: true,
    refuses: [401, 403],
  },
  'GET /calendar/{token}/services.ics': {
    summary: 'Due services in the scope of the user to whom the address belongs (RFC 5545)',
    tag: 'calendar',
    public: true,
    params: { token: text() },
    media: 'text/calendar',
    refuses: [404],
  },
});

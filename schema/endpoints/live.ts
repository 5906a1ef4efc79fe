/** Calls for live events and for the global search. */
import Type from 'typebox';
import { text } from '../dsl/field';
import { dataOf, defineEndpoints, idSchema } from './endpoint';

const SearchGroupSchema = Type.Object({
  /** Name of the entity. */
  resource: Type.String(),
  /** Title and distinguishing columns of each row, as far as the caller may see them. */
  rows: Type.Array(Type.Object({ id: idSchema }, { additionalProperties: Type.Unknown() })),
});

export const liveEndpoints = defineEndpoints({
  'GET /search': {
    summary: 'A few rows of every entity that match the words, within the scope of the caller',
    tag: 'search',
    dialect: ['q'],
    replica: true,
    response: dataOf(Type.Array(SearchGroupSchema)),
    refuses: [401],
  },
  'GET /events': {
    summary: 'Live events (server-sent events); requires a session or a ticket',
    tag: 'live',
    wall: true,
    query: { ticket: text(), count: text() },
    media: 'text/event-stream',
    refuses: [401],
  },
  'POST /events/ticket': {
    summary: 'Create a short-lived ticket for GET /events',
    tag: 'live',
    reads: true,
    response: dataOf(Type.Object({ ticket: Type.String(), expires_in: Type.Integer() })),
    refuses: [401],
  },
});

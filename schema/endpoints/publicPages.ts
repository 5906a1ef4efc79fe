/** Calls of the page that a machine's QR code opens for people without an account, if its client allows it. */
import Type, { type Static } from 'typebox';
import { boolean, choice, email, longtext, text } from '../dsl/field';
import { problemKinds } from '../entities/alerts';
import { dataOf, defineEndpoints, nullable } from './endpoint';

const PublicMachineSchema = Type.Object({
  product: nullable(Type.String({ description: 'Name of the machine type' })),
});
export type PublicMachine = Static<typeof PublicMachineSchema>;

/** Responses are the same whether a machine does not exist or its client allows no public reports. */
export const publicPageEndpoints = defineEndpoints({
  'GET /public/machines/{id}': {
    summary: 'Product name of a machine; null unless its client allows public reports. Rate-limited per IP address',
    tag: 'public',
    public: true,
    query: {},
    response: dataOf(PublicMachineSchema),
    refuses: [429],
  },
  'POST /public/machines/{id}/problems': {
    summary:
      'Report a problem without an account: opens an alert as POST /machines/{id}/problems does. Rate-limited per IP ' +
      'address and per machine. For an hour, the token allows adding photos',
    tag: 'public',
    public: true,
    body: {
      problem: choice(problemKinds, { required: true }),
      report: longtext({ required: true, max: 2000 }),
      is_out_of_use: boolean(),
      email: email(),
    },
    labels: 'alerts',
    status: 201,
    response: dataOf(Type.Object({ token: Type.String() })),
    refuses: [404, 422, 429],
  },
  'POST /public/problems/{token}/photos': {
    summary:
      'Add a photo to the problem reported with this token (jpg, png up to 2 MB, 5 at most); re-encoded without ' +
      'metadata',
    tag: 'public',
    public: true,
    params: { token: text() },
    upload: true,
    refuses: [404, 409, 413, 415, 422, 429],
  },
});

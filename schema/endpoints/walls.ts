/** Calls about the caller's walls, and the call with which a wall reads its own data. */
import Type, { type Static } from 'typebox';
import { text } from '../dsl/field';
import { dataOf, defineEndpoints } from './endpoint';
import { issuedTokenFields, newTokenFields } from './issuedTokens';

const WallSchema = Type.Object(issuedTokenFields);
export type OwnWall = Static<typeof WallSchema>;

export const wallEndpoints = defineEndpoints({
  'GET /wall': {
    summary: 'The wall to which the token belongs: its name, and a user token with the permissions of the page',
    tag: 'walls',
    wall: true,
    response: dataOf(Type.Object({ name: Type.String(), user_token: Type.String() })),
    refuses: [401, 404],
  },
  'GET /account/walls': {
    summary: 'Walls of the caller',
    tag: 'walls',
    interactive: true,
    response: dataOf(Type.Array(WallSchema)),
    refuses: [401, 403],
  },
  'POST /account/walls': {
    summary:
      'Create a wall. Its token is shown once, opens only the calls that walls need, and never exceeds the current ' +
      'permissions of its owner; each use renews it',
    tag: 'walls',
    interactive: true,
    permission: 'machines.list',
    body: { name: text({ required: true, max: 60 }) },
    status: 201,
    response: dataOf(Type.Object(newTokenFields)),
    refuses: [401, 403, 409, 422],
  },
  'DELETE /account/walls/{id}': {
    summary: 'Revoke a wall and its token',
    tag: 'walls',
    interactive: true,
    refuses: [401, 403, 404],
  },
});

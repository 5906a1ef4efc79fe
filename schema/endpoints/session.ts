/** Logging in and out. */
import Type, { type Static } from 'typebox';
import { text } from '../dsl/field';
import { defineEndpoints, rowOf } from './endpoint';

/** A new session. `user_token` is a JWT that tells the browser who it is; it grants nothing. */
export const SessionSchema = Type.Object({ token: Type.String(), user_token: Type.String(), user: rowOf('users') });
export type SessionResult = Static<typeof SessionSchema>;

/** The password was right, and a code is needed at `POST /login/second-factor`. */
const SecondStepSchema = Type.Object({ two_factor: Type.Literal(true), ticket: Type.String() });
export const LoginSchema = Type.Union([SessionSchema, SecondStepSchema]);

export const sessionEndpoints = defineEndpoints({
  'POST /login': {
    summary: 'Log in',
    tag: 'session',
    public: true,
    body: { email: text({ required: true, max: 254 }), password: text({ required: true, max: 1000 }) },
    response: LoginSchema,
    refuses: [422, 429],
  },
});

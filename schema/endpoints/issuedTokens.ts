/** What the owner of a token reads about it: API tokens and walls. */
import Type from 'typebox';
import { idSchema, instantSchema, nullable } from './endpoint';

export const issuedTokenFields = {
  id: idSchema,
  name: Type.String(),
  created_at: instantSchema,
  /** Moves on with each use of a wall. */
  expires_at: instantSchema,
  last_used_at: nullable(instantSchema),
  address: nullable(Type.String()),
};
/** Once, when it is issued: the token itself. */
export const newTokenFields = { ...issuedTokenFields, token: Type.String() };

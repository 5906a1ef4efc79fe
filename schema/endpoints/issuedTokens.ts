/** Fields that the owner of a token sees: for API tokens and walls. */
import Type from 'typebox';
import { idSchema, instantSchema, nullable } from './endpoint';

export const issuedTokenFields = {
  id: idSchema,
  name: Type.String(),
  created_at: instantSchema,
  /** Each use of a wall postpones it. */
  expires_at: instantSchema,
  last_used_at: nullable(instantSchema),
  address: nullable(Type.String()),
};
/** Fields of a response that issues a token: the only one with the token itself. */
export const newTokenFields = { ...issuedTokenFields, token: Type.String() };

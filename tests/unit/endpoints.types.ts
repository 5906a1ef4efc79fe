/** Code that must not compile. */
import type { FastifyInstance } from 'fastify';
import { JsonText, serve } from '../../server/endpoints/serve';
import { call } from '../../src/providers/call';
import { fetchRow, fetchRows } from '../../src/providers/rows';

declare const app: FastifyInstance;

export const misuses = () => {
  // @ts-expect-error no such endpoint
  void call('GET /nowhere');
  // @ts-expect-error the request is missing
  void call('POST /login');
  // @ts-expect-error the password is missing
  void call('POST /login', { body: { email: 'a@b.c' } });
  // @ts-expect-error no such figure
  void call('GET /dashboard').then(({ data }) => data.nonsense);
  // @ts-expect-error a token exists only if no second step is needed
  void call('POST /login', { body: { email: '', password: '' } }).then(({ token }) => token);
  // @ts-expect-error the handler leaves figures out
  serve(app, 'GET /dashboard', async () => ({ data: { alerts: 1 } }));
  // @ts-expect-error the text of another response
  serve(app, 'GET /dashboard', async () => new JsonText<{ data: number }>('{}'));
  // @ts-expect-error no such relation
  void fetchRow('clients', 1, { include: ['nobody'] });
  // @ts-expect-error the city is not among the fields
  void fetchRows('locations', { fields: ['id', 'name'] }).then(({ data }) => data[0]?.city);
  // @ts-expect-error the type is not included
  void fetchRows('machines', { include: ['location'] }).then(({ data }) => data[0]?.type);
  // @ts-expect-error a machine may have no position
  void fetchRow('machines', 1).then(({ data }): number => data.latitude);
};

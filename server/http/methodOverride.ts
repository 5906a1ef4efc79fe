/**
 * Clients that can only POST say in a header or in the query which method they mean, as Laravel's do; a form may say it
 * in its field (`entity/body.ts`).
 */
import type { IncomingMessage } from 'node:http';

const meant = /^(PUT|PATCH|DELETE)$/i;

/** Puts the meant method in place before the request finds its route; gives back the address as it is. */
export function overridden(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string {
  const url = request.url ?? '/';
  if (request.method !== 'POST') return url;
  const header = request.headers['x-http-method-override'];
  const inQuery = url.includes('_method=') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('_method') : null;
  const asked = typeof header === 'string' ? header : inQuery;
  if (asked && meant.test(asked)) request.method = asked.toUpperCase();
  return url;
}

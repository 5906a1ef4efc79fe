/**
 * Method override for clients that can only POST: in a header or the query, as in Laravel. The form field `_method` is
 * applied after the body is read (`server/crud/write/requestBody.ts`).
 */
import type { IncomingMessage } from 'node:http';

const overridePattern = /^(PUT|PATCH|DELETE)$/i;

/** Applies the override before routing. Returns the URL unchanged. */
export function applyMethodOverride(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string {
  const url = request.url ?? '/';
  if (request.method !== 'POST') return url;
  const headerValue = request.headers['x-http-method-override'];
  const queryValue = url.includes('_method=')
    ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('_method')
    : null;
  const override = typeof headerValue === 'string' ? headerValue : queryValue;
  if (override && overridePattern.test(override)) request.method = override.toUpperCase();
  return url;
}

/** Calls of declared endpoints: `schema/endpoints` types request and response, and nothing but types is loaded. */
import type { EndpointKey, EndpointRequest, EndpointResponse, Endpoints } from '../../schema/endpoints';
import { api, type CallOptions } from './http';

/** Endpoints that answer JSON or nothing; files are loaded by `download`. */
export type JsonEndpointKey = {
  [K in EndpointKey]: Endpoints[K] extends { media: string } | { status: 302 } ? never : K;
}[EndpointKey];

type CallRequest<K extends EndpointKey> = EndpointRequest<K> & Pick<CallOptions, 'signal' | 'headers'>;
type CallArguments<K extends EndpointKey> =
  Record<never, never> extends EndpointRequest<K> ? [request?: CallRequest<K>] : [request: CallRequest<K>];

interface AnyRequest extends CallOptions {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  search?: string;
}

/** @throws HttpError as `api` does */
export function call<K extends JsonEndpointKey>(key: K, ...[request]: CallArguments<K>): Promise<EndpointResponse<K>> {
  const { params, query, search, ...options } = (request ?? {}) as AnyRequest;
  const [method, path] = key.split(' ') as [CallOptions['method'], string];
  return api(pathOf(path, { params, query, search }), { method, ...options });
}

/** The address of an endpoint below the base path. Parameters without a value are left out. */
function pathOf(path: string, { params = {}, query = {}, search = '' }: AnyRequest): string {
  const filled = path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const defined = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const printed = new URLSearchParams(defined.map(([name, value]) => [name, String(value)])).toString();
  const whole = [printed, search].filter(Boolean).join('&');
  return whole ? `${filled}?${whole}` : filled;
}

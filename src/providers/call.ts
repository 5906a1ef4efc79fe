/** Calls declared endpoints. Their types come from `schema/endpoints`, of which nothing is loaded at run time. */
import type { Endpoints } from '../../schema/endpoints';
import type { ResponseBody, SentInput } from '../../schema/endpoints/endpoint';
import type { EntityCalls } from '../../schema/endpoints/entityCalls';
import { api, type CallOptions } from './http';

type Calls = Endpoints & EntityCalls;

/** Endpoints that answer JSON or nothing; `download` loads files. */
export type JsonEndpointKey = {
  [K in keyof Calls]: Calls[K] extends { media: string } | { status: 302 } ? never : K;
}[keyof Calls];

type CallRequest<K extends keyof Calls> = SentInput<K, Calls[K]> & Pick<CallOptions, 'signal' | 'headers'>;
type CallArguments<K extends keyof Calls> =
  Record<never, never> extends SentInput<K, Calls[K]> ? [request?: CallRequest<K>] : [request: CallRequest<K>];

interface AnyRequest extends CallOptions {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  search?: string;
}

/** @throws HttpError as `api` does */
export function call<K extends JsonEndpointKey>(
  key: K,
  ...[request]: CallArguments<K>
): Promise<ResponseBody<Calls[K]>> {
  const { params, query, search, ...options } = (request ?? {}) as AnyRequest;
  const [method, path] = key.split(' ') as [CallOptions['method'], string];
  return api(pathOf(path, { params, query, search }), { method, ...options });
}

/** The URL of an endpoint below the base path. Omits parameters without a value. */
function pathOf(path: string, { params = {}, query = {}, search = '' }: AnyRequest): string {
  const filledPath = path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const definedQuery = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const parameters = new URLSearchParams(definedQuery.map(([name, value]) => [name, String(value)])).toString();
  const queryString = [parameters, search].filter(Boolean).join('&');
  return queryString ? `${filledPath}?${queryString}` : filledPath;
}

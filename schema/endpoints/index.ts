/** Every call beyond the ones that all entities have, by `METHOD /path`. */
import { dashboardEndpoints } from './dashboard';
import type { ResponseBody, SentInput, ValidInput } from './endpoint';
import { sessionEndpoints } from './session';

export const endpoints = { ...sessionEndpoints, ...dashboardEndpoints };

export type Endpoints = typeof endpoints;
export type EndpointKey = keyof Endpoints;
/** What the handler of an endpoint receives. */
export type EndpointInput<K extends EndpointKey> = ValidInput<K, Endpoints[K]>;
/** What a client of an endpoint sends. */
export type EndpointRequest<K extends EndpointKey> = SentInput<K, Endpoints[K]>;
/** What a client of an endpoint receives. */
export type EndpointResponse<K extends EndpointKey> = ResponseBody<Endpoints[K]>;

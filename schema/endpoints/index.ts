/** Every call beyond the ones that all entities have, by `METHOD /path`. */
import { accountEndpoints } from './account';
import { alertEndpoints } from './alerts';
import { dashboardEndpoints } from './dashboard';
import type { ResponseBody, SentInput, ValidInput } from './endpoint';
import { liveEndpoints } from './live';
import { peopleEndpoints } from './people';
import { sessionEndpoints } from './session';

export const endpoints = {
  ...sessionEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...alertEndpoints,
  ...dashboardEndpoints,
  ...liveEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointKey = keyof Endpoints;
/** What the handler of an endpoint receives. */
export type EndpointInput<K extends EndpointKey> = ValidInput<K, Endpoints[K]>;
/** What a client of an endpoint sends. */
export type EndpointRequest<K extends EndpointKey> = SentInput<K, Endpoints[K]>;
/** What a client of an endpoint receives. */
export type EndpointResponse<K extends EndpointKey> = ResponseBody<Endpoints[K]>;

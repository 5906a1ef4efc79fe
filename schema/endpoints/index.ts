/** All declared calls, by `METHOD /path`. */
import { accountEndpoints } from './account';
import { alertEndpoints } from './alerts';
import { attachmentEndpoints } from './attachments';
import { calendarEndpoints } from './calendar';
import { dashboardEndpoints } from './dashboard';
import type { ResponseBody, ValidInput } from './endpoint';
import { fleetTimelineEndpoints } from './fleetTimeline';
import { floorEndpoints } from './floors';
import { importEndpoints } from './imports';
import { inboxEndpoints } from './inbox';
import { integrationEndpoints } from './integrations';
import { liveEndpoints } from './live';
import { locationEndpoints } from './locations';
import { machineEndpoints } from './machines';
import { peopleEndpoints } from './people';
import { publicPageEndpoints } from './publicPages';
import { reportEndpoints } from './reports';
import { sessionEndpoints } from './session';
import { trackerEndpoints } from './trackers';
import { wallEndpoints } from './walls';

export const endpoints = {
  ...sessionEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...alertEndpoints,
  ...dashboardEndpoints,
  ...inboxEndpoints,
  ...liveEndpoints,
  ...fleetTimelineEndpoints,
  ...machineEndpoints,
  ...attachmentEndpoints,
  ...importEndpoints,
  ...locationEndpoints,
  ...calendarEndpoints,
  ...floorEndpoints,
  ...trackerEndpoints,
  ...integrationEndpoints,
  ...reportEndpoints,
  ...wallEndpoints,
  ...publicPageEndpoints,
};

export type Endpoints = typeof endpoints;
export type EndpointKey = keyof Endpoints;
/** Input of the handler of an endpoint. */
export type EndpointInput<K extends EndpointKey> = ValidInput<K, Endpoints[K]>;
/** Response that a client of an endpoint receives. */
export type EndpointResponse<K extends EndpointKey> = ResponseBody<Endpoints[K]>;

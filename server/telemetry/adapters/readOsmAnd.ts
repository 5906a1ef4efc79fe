/**
 * OsmAnd messages, accepted and rejected like Traccar: a query, a form, or the JSON of the Traccar Client app. Source:
 * the protocol page of traccar.org and the behaviour of Traccar's decoder.
 */
import { InvalidMessage } from '../timeline/observation';
import { keepKeys } from './buildKeyMap';
import { decodeUtf8WithMark } from './json';
import type { OsmAndReport } from './osmAndReport';
import { readOsmAndJson } from './readOsmAndJson';
import { readOsmAndQuery } from './readOsmAndQuery';

export interface OsmAndRequest {
  /** Query string without `?`. */
  search: string;
  mediaType: string;
  body: Uint8Array;
}

/** Whether the request is in the JSON form, in which unknown devices get 404 instead of 400. */
export const isJsonRequest = ({ mediaType }: OsmAndRequest): boolean =>
  mediaType.toLowerCase().startsWith('application/json');

/**
 * Parses a request. Pure.
 * @throws InvalidMessage
 */
export function readOsmAnd(request: OsmAndRequest, mapKeys = keepKeys): OsmAndReport {
  if (isJsonRequest(request)) return readOsmAndJson(request.body, mapKeys);
  const report = readOsmAndQuery(request.search === '' ? decodeUtf8WithMark(request.body) : request.search, mapKeys);
  if (report.devices.length === 0) throw new InvalidMessage('No device id.');
  return report;
}

/**
 * OsmAnd messages, accepted and refused as Traccar does: a query, the same as a form, or the JSON that the Traccar
 * Client app sends. Source: the protocol page of traccar.org and the behaviour of Traccar's own decoder.
 */
import { InvalidMessage } from '../timeline/observation';
import { utf8 } from './json';
import { readOsmAndJson } from './osmandJson';
import { readOsmAndQuery } from './osmandQuery';
import type { OsmAndReport } from './report';

export interface OsmAndRequest {
  /** Without `?`. */
  search: string;
  mediaType: string;
  body: Uint8Array;
}

/** Whether a request is of the JSON form: unknown devices are answered 404 there, 400 elsewhere. */
export const isJson = ({ mediaType }: OsmAndRequest): boolean => mediaType.toLowerCase().startsWith('application/json');

/** Reads a request. Pure; throws `Unreadable` and nothing else. */
export function readOsmAnd(request: OsmAndRequest): OsmAndReport {
  if (isJson(request)) return readOsmAndJson(request.body);
  const report = readOsmAndQuery(request.search === '' ? utf8(request.body) : request.search);
  if (report.devices.length === 0) throw new InvalidMessage('No device id.');
  return report;
}

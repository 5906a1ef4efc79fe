import type { Message } from '../timeline/observation';

/** Parsed OsmAnd request with its sender. */
export interface OsmAndReport {
  /** Every device id of the message. All must be known; the last one counts. */
  devices: string[];
  message: Message;
}

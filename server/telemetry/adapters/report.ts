import type { Message } from '../timeline/observation';

/** What an OsmAnd request says, and of which device. */
export interface OsmAndReport {
  /** Every id that the message names; all must be known, the last one counts. */
  devices: string[];
  message: Message;
}

import type { Message } from '../timeline/observation';

/** One message of a body that may contain several. `body`: bytes that contain this message alone. */
export interface ParsedMessage {
  message: Message;
  body: Uint8Array;
}

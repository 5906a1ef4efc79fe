import type { Message } from '../timeline/observation';

/** One message of a body, and its own part of the bytes: parsed alone, `body` gives the same message. */
export interface ParsedMessage {
  message: Message;
  body: Uint8Array;
}

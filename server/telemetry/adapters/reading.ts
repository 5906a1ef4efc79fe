import type { Message } from '../timeline/observation';

/** One message understood, and the bytes that alone would say the same. */
export interface AdapterInput {
  message: Message;
  body: Uint8Array;
}

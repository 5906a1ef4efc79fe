import type { Message } from '../timeline/observation';

/** A parsed message, and the bytes that by themselves would give the same. */
export interface AdapterInput {
  message: Message;
  body: Uint8Array;
}

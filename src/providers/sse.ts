/**
 * Server-sent events read from a stream (HTML Standard, section 9.2.6): the browser's own `EventSource` cannot send a
 * token.
 */

export interface ServerEvent {
  id: string;
  /** `message` unless the server named it. */
  event: string;
  /** Empty when nothing is told but the `id`. */
  data: string;
}

/** The events of a body in the order they come; ends with the body. */
export async function* readEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<ServerEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = `${rest}${value}`.replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/**
 * One event from its lines; without data when it only says how far the reader is (`id` alone, which a browser's own
 * `EventSource` notes silently);
 * `undefined` for comments, which keep the connection open.
 */
export function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const data = fields.filter((field) => field?.[1] === 'data').map((field) => field?.[2] ?? '');
  const last = (name: string) => fields.findLast((field) => field?.[1] === name)?.[2] ?? '';
  const id = last('id');
  return data.length > 0 || id !== '' ? { id, event: last('event') || 'message', data: data.join('\n') } : undefined;
}

/**
 * Parser of server-sent events (HTML Standard, section 9.2.6). Needed because the browser's `EventSource` cannot send a
 * token.
 */

export interface ServerEvent {
  id: string;
  /** Default: `message`. */
  event: string;
  /** Empty if the event carries only its `id`. */
  data: string;
  /** Milliseconds after which to reconnect. */
  retry?: number;
}

/** Yields the events of a response body in order, until the body ends. */
export async function* readEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<ServerEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let unparsed = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = `${unparsed}${value}`.replaceAll('\r\n', '\n').split('\n\n');
    unparsed = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/**
 * Parses one event. An event without data only updates the last event id (`id`, which `EventSource` records silently)
 * or the reconnection time (`retry`). `undefined` for comments, which only keep the connection open.
 */
export function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const data = fields.filter((field) => field?.[1] === 'data').map((field) => field?.[2] ?? '');
  const last = (name: string) => fields.findLast((field) => field?.[1] === name)?.[2] ?? '';
  const id = last('id');
  const retry = /^\d{1,6}$/.test(last('retry')) ? Number(last('retry')) : undefined;
  if (data.length === 0 && id === '' && retry === undefined) return undefined;
  return { id, event: last('event') || 'message', data: data.join('\n'), ...(retry !== undefined && { retry }) };
}

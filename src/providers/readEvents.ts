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

/**
 * Yields the events of a response body in order, until the body ends. @throws Error if nothing, not even a comment,
 * arrives for `maxSilence` milliseconds
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
  maxSilence?: number,
): AsyncGenerator<ServerEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let unparsed = '';
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), maxSilence);
      if (done) return;
      const blocks = `${unparsed}${value}`.replaceAll('\r\n', '\n').split('\n\n');
      unparsed = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Rejects if the promise is not settled after `maxSilence` milliseconds. */
async function within<T>(promise: Promise<T>, maxSilence: number | undefined): Promise<T> {
  if (maxSilence === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The connection is silent.')), maxSilence);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
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

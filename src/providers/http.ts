/** Calls to the API: base path, token, language, errors. The only place that calls `fetch` for JSON. */
import { HttpError } from 'react-admin';
import { adjustServerClock } from '../i18n/serverClock';
import { recordFailure, recordSuccess } from './failures';
import { deviceUser, findLastSeen, rememberResponse } from './lastSeen';
import { whenReachable } from './reachability';
import { session } from './session';
import { endSession } from './stashedSession';

export const apiBase = '/api/v1';

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Value to send as JSON. */
  body?: unknown;
  /** Multipart form to send, for files. */
  form?: FormData;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * Returns the JSON of the response, or `undefined` without a body. While the server is unreachable, a read returns the
 * last stored response, if any.
 * @throws HttpError with the message, status and body of the response; status 0 if the server is unreachable
 */
export async function api<T>(path: string, options: CallOptions = {}): Promise<T> {
  const isRead = (options.method ?? 'GET') === 'GET';
  const user = deviceUser();
  try {
    const response = await fetchApi(path, options);
    const text = await response.text().catch(rethrowAsHttpError);
    const value = parseResponse(text) as T;
    if (isRead) rememberResponse(user, path, text);
    return value;
  } catch (error) {
    const storedText = isRead && isServerAway(error) ? await findLastSeen(path) : undefined;
    if (storedText === undefined) throw error;
    return JSON.parse(storedText) as T;
  }
}

/** Parses the text of a successful response. What is not JSON comes from elsewhere, such as a Wi-Fi log-in page. */
function parseResponse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    void whenReachable();
    throw new HttpError('errors.network', 0);
  }
}

/** Whether a call failed because the server did not answer: no network, or something else answered instead. */
export const isServerAway = (error: unknown): boolean =>
  error instanceof HttpError && (error.status === 0 || (error.status >= 502 && error.status <= 504));

/** Milliseconds without a response after which a call starts to poll whether the server is reachable. */
const slowTime = 8000;

/** Whether the page is closing: then only requests with `keepalive` are delivered, which browsers limit to 64 KiB. */
let isClosing = false;
globalThis.addEventListener?.('pagehide', () => (isClosing = true), true);
globalThis.addEventListener?.('pageshow', () => (isClosing = false), true);
const maxKeepalive = 60_000;

/** Returns the raw response, for callers that need headers or files. Throws as `api` does. */
export async function fetchApi(
  path: string,
  { method = 'GET', body, form, signal, headers }: CallOptions = {},
): Promise<Response> {
  const { t, lang } = session.get();
  const name = `${method} ${path}`;
  const json = body === undefined ? undefined : JSON.stringify(body);
  const sentAt = Date.now();
  const slowTimer = setTimeout(() => void whenReachable(), slowTime);
  const response = await fetch(`${apiBase}/${path.replace(/^\//, '')}`, {
    method,
    signal,
    body: form ?? json,
    keepalive: isClosing && !form && new Blob([json ?? '']).size <= maxKeepalive,
    headers: {
      Accept: 'application/json',
      'Accept-Language': lang,
      // The language of the page, which may differ from the user's stored language for mails.
      'Page-Language': lang,
      'Time-Zone': Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(t ? { Authorization: `Bearer ${t}` } : {}),
      ...headers,
    },
  })
    .catch((error: unknown) => {
      if (!isAborted(error)) {
        recordFailure(name, 'errors.network');
        void whenReachable();
      }
      return rethrowAsHttpError(error);
    })
    .finally(() => clearTimeout(slowTimer));
  adjustServerClock(response.headers.get('Date'), sentAt);
  if (response.ok) {
    recordSuccess(name);
    return response;
  }
  if (response.status >= 502) void whenReachable();
  const responseBody = await bodyOfResponse(response);
  // A 401 for a call of a previous session must not end the current one.
  if (response.status === 401 && t === session.get().t) endSession();
  const message =
    typeof responseBody?.message === 'string' && responseBody.message !== '' ? responseBody.message : 'errors.generic';
  recordFailure(name, message);
  throw new HttpError(message, response.status, responseBody);
}

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Converts a connection failure to an HttpError. @throws HttpError, or an abort error unchanged */
function rethrowAsHttpError(error: unknown): never {
  throw isAborted(error) ? error : new HttpError('errors.network', 0);
}

/** Yields the chunks of a response as they arrive. @throws HttpError if the response is truncated */
export async function* readChunks<T>(body: ReadableStream<T> | null | undefined): AsyncGenerator<T> {
  const reader = body?.getReader();
  for (
    let chunk = await reader?.read().catch(rethrowAsHttpError);
    chunk && !chunk.done;
    chunk = await reader?.read().catch(rethrowAsHttpError)
  )
    yield chunk.value;
}

/** Downloads a file with the session's token and saves it under the name that the server sends. */
export async function download(path: string, fallbackName: string): Promise<void> {
  const response = await fetchApi(path, { headers: { Accept: '*/*' } });
  saveFile(
    await response.blob().catch(rethrowAsHttpError),
    fileName(response.headers.get('Content-Disposition')) ?? fallbackName,
  );
}

/** Saves a file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Reads the file name from a `Content-Disposition` header (RFC 6266); `undefined` without one. */
export function fileName(header: string | null): string | undefined {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  return extended ? decodeURIComponent(extended) : /filename="?([^";]+)"?/i.exec(header ?? '')?.[1];
}

async function bodyOfResponse(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

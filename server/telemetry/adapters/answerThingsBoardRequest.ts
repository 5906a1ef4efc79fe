/**
 * Requests that ThingsBoard's client libraries send and await: attributes kept by the server, and client-side RPC.
 * Source: thingsboard.io, "MQTT Device API Reference", and the Python SDK.
 */
import { isObject, type Json, ownOf, parseJson } from './json';

/** Limits that the Python SDK adapts to before it sends. */
export interface SessionLimits {
  maxPayloadSize: number;
  maxInflightMessages: number;
}

const methods: Readonly<Record<string, (now: Date, limits: SessionLimits) => unknown>> = {
  getCurrentTime: (now) => now.getTime(),
  getTime: (now) => now.getTime(),
  getSessionLimits: (_now, limits) => ({ ...limits, rateLimits: {} }),
};

/**
 * Answers a request. No attributes are kept for devices: the answer names none, beside the `id` and `device` by which a
 * gateway recognises it.
 */
export function answerThingsBoardRequest(
  of: 'attributes' | 'rpc',
  body: Uint8Array,
  { now, limits }: { now: Date; limits: SessionLimits },
): unknown {
  const value = parseJson(Buffer.from(body).toString('utf8'))?.value;
  const request: Json = isObject(value) ? value : {};
  if (of === 'attributes') {
    const [id, device] = [ownOf(request, 'id'), ownOf(request, 'device')];
    return { ...(typeof id === 'number' && { id }), ...(typeof device === 'string' && { device }) };
  }
  const method = ownOf(request, 'method');
  const answer = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined;
  return answer ? answer(now, limits) : { error: 'Unknown method.' };
}

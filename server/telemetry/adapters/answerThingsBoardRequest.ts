/**
 * Requests that ThingsBoard's client libraries send and await: attributes stored by the server, and client-side RPC.
 * Source: thingsboard.io, "MQTT Device API Reference", and the Python SDK.
 */
import { isObject, type Json, ownProperty, parseJson } from './json';

/** Limits that the Python SDK requests before it sends, and observes. */
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
 * Returns the response to a request. No attributes are stored for devices, so a response to `attributes` contains only
 * the `id` and `device` of the request, by which a gateway recognises it.
 */
export function answerThingsBoardRequest(
  kind: 'attributes' | 'rpc',
  body: Uint8Array,
  { now, limits }: { now: Date; limits: SessionLimits },
): unknown {
  const value = parseJson(Buffer.from(body).toString('utf8'))?.value;
  const request: Json = isObject(value) ? value : {};
  if (kind === 'attributes') {
    const [id, device] = [ownProperty(request, 'id'), ownProperty(request, 'device')];
    return { ...(typeof id === 'number' && { id }), ...(typeof device === 'string' && { device }) };
  }
  const method = ownProperty(request, 'method');
  const call = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined;
  return call ? call(now, limits) : { error: 'Unknown method.' };
}

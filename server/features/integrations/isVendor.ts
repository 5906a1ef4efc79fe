/** Authenticates a vendor by the secret of its integration, in the way of each vendor. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { IntegrationPreset } from '../../../schema/shared/mappingPresets';
import { sha256 } from '../../auth/secrets';
import { isObject, ownProperty } from '../../telemetry/adapters/json';

interface VendorRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  preset: IntegrationPreset;
}

/** Headers with an HMAC of the body in hexadecimal or Base64, with or without `sha256=`. */
const signatureHeaders = ['x-signature-256', 'x-hub-signature-256', 'x-signature'] as const;

/** Whether the request contains the secret in one of the ways that its preset allows. */
export function isVendor(request: VendorRequest, secret: Buffer): boolean {
  const { headers, body, preset } = request;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const candidates = [
    bearer,
    preset === 'pudu' ? headers.callbackcode : undefined,
    preset === 'gausium' ? findAppId(body) : undefined,
  ];
  if (candidates.some((value) => typeof value === 'string' && isEqual(Buffer.from(value), secret))) return true;
  const signatures = signatureHeaders.flatMap((name) => headers[name] ?? []);
  if (signatures.length === 0) return false;
  const digest = createHmac('sha256', secret).update(body).digest();
  return signatures.some((signature) => isEqual(parseDigest(signature), digest));
}

/** Compares in constant time, which does not depend on the lengths either. */
const isEqual = (a: Buffer, b: Buffer): boolean => timingSafeEqual(hashOf(a), hashOf(b));
const hashOf = (bytes: Buffer) => sha256(bytes.toString('latin1'));

function parseDigest(signature: string): Buffer {
  const text = signature.replace(/^sha256=/i, '').trim();
  return Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
}

/** Finds the secret that Gausium sends in the body only, as `appId`. */
function findAppId(body: Buffer): string | undefined {
  if (!body.includes('"appId"')) return undefined;
  try {
    const message: unknown = JSON.parse(body.toString('utf8'));
    const appId = isObject(message) ? ownProperty(message, 'appId') : undefined;
    return typeof appId === 'string' ? appId : undefined;
  } catch {
    return undefined;
  }
}

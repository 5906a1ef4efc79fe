/** Checks the access token of `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether an `Authorization` header bears the token. Takes constant time. */
export function isMetricsToken(authorization: string | undefined, token: string): boolean {
  const [, sentToken = ''] = /^Bearer (.+)$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(digest(sentToken), digest(token));
}

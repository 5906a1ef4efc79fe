/** The secret that opens `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether an `Authorization` header carries the token, compared in constant time. */
export function isMetricsToken(authorization: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer (.+)$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

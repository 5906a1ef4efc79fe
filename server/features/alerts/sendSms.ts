/** Sends text messages through the gateway at `SMS_URL`: a POST of `{to, text}` as JSON, confirmed by 2xx. */

/** Thrown if the gateway rejects the message itself, so that a retry would fail too. */
export class SmsRefused extends Error {}

/** Sends a message; `id` lets the gateway recognise a repetition. Throws unless the gateway confirms. */
export async function sendSms(url: string, { id, to, text }: { id: string; to: string; text: string }): Promise<void> {
  const { username, password, address } = splitCredentials(url);
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': id,
      ...(username && { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }),
    },
    body: JSON.stringify({ to: to.replace(/[^+0-9]/g, ''), text }),
  });
  await response.body?.cancel();
  if (response.ok) return;
  const message = `The gateway answered ${response.status}.`;
  throw response.status === 400 || response.status === 422 ? new SmsRefused(message) : new Error(message);
}

/** Splits the credentials off a URL. */
function splitCredentials(text: string) {
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  return { username, password, address: url.href };
}

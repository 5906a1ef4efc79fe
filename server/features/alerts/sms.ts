/**
 * Text messages, by whatever gateway `SMS_URL` names: a POST of `{to, text}` as JSON, answered by 2xx once it is taken.
 */

/** A gateway that refuses the message itself refuses it again. */
export class SmsRefused extends Error {}

export async function sendSms(url: string, { id, to, text }: { id: string; to: string; text: string }): Promise<void> {
  const { username, password, ...gateway } = credentials(url);
  const answer = await fetch(gateway.address, {
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
  await answer.body?.cancel();
  if (answer.ok) return;
  const message = `The gateway answered ${answer.status}.`;
  throw answer.status === 400 || answer.status === 422 ? new SmsRefused(message) : new Error(message);
}

/** A name and a password in the address are sent as HTTP asks for them. */
function credentials(text: string) {
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  return { username, password, address: url.href };
}

/** Reads the mails that a test has caused. */
import type { TestApp } from './startTestApp';

export interface OutboxMail {
  to: string;
  subject: string;
  text: string;
}

/** Mails to an address, newest first. */
export async function readMailsTo({ services }: Pick<TestApp, 'services'>, address: string): Promise<OutboxMail[]> {
  return (await services.mail.outbox()).filter(({ to }) => to.includes(address));
}

/** Link and code in the latest mail to an address. */
export async function readMailSecrets(
  app: Pick<TestApp, 'services'>,
  address: string,
): Promise<{ link: string; token: string; code: string }> {
  const [mail] = await readMailsTo(app, address);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  return { link, token: link.split('/').at(-1) ?? '', code: /^\d{8}$/m.exec(mail?.text ?? '')?.[0] ?? '' };
}

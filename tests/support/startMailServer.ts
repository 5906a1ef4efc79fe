/** A mail server that accepts or rejects mails as configured. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { readMail } from '../../server/mail/outbox';

export interface DeliveredMail extends ReturnType<typeof readMail> {
  /** Envelope sender. */
  sender: string;
  recipients: string[];
  user: string | undefined;
  /** Whether the connection was encrypted. */
  secure: boolean;
  raw: string;
}

export interface MailServer {
  port: number;
  /** Accepted mails, in order of arrival. */
  mails: DeliveredMail[];
  close(): Promise<void>;
}

export interface MailServerOptions {
  port?: number;
  /** The only account that may send; also accepted without encryption. */
  account?: { user: string; password: string };
  /** Whether to offer STARTTLS, with an untrusted certificate. */
  starttls?: boolean;
  /** Status with which to reject a recipient; `undefined` accepts it. */
  rejectionOf?(recipient: string): number | undefined;
}

export async function startMailServer({
  port = 0,
  account,
  starttls = false,
  rejectionOf = () => undefined,
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: DeliveredMail[] = [];
  const server = new SMTPServer({
    authOptional: !account,
    allowInsecureAuth: true,
    disabledCommands: [...(account ? [] : ['AUTH']), ...(starttls ? [] : ['STARTTLS'])],
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      username === account?.user && password === account?.password
        ? done(null, { user: username })
        : done(new Error('Unknown user or password')),
    onRcptTo: ({ address }, _, done) => {
      const responseCode = rejectionOf(address);
      done(responseCode === undefined ? null : Object.assign(new Error('Refused by the test'), { responseCode }));
    },
    async onData(stream, { envelope, user, secure }, done) {
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      const source = Buffer.concat(pieces).toString();
      const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
      mails.push({
        ...readMail(source),
        sender,
        recipients: envelope.rcptTo.map(({ address }) => address),
        user: user as string | undefined,
        secure,
        raw: source,
      });
      done();
    },
  });
  // Ignored: rejected clients, and those that distrust the certificate, may hang up.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

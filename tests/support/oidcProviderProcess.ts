/**
 * An OpenID provider in a separate process. Users are identified by e-mail address; a leading `?` marks it unverified.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'sweepline', client_secret: 'provider-secret', redirect_uris: [process.argv[2] ?? ''] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id.replace(/^\?/, ''), email_verified: !id.startsWith('?') }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['of the tests'] },
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});

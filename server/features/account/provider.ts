/**
 * The identity provider of OpenID Connect. Its metadata and the library are loaded at the first sign-in, so that the
 * server starts without them.
 */
import type { Configuration } from 'openid-client';
import type { Env } from '../../context/env';

/** Secrets of one sign-in. */
interface Flow {
  state: string;
  nonce: string;
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string;
}

export interface Provider {
  /** Returns the URL to redirect the browser to. */
  authorizationUrl(flow: Flow): Promise<URL>;
  /**
   * Exchanges the code in the URL of the callback. Returns the user's e-mail address; null if the provider has not
   * verified it.
   * @throws for any invalid part of the response
   */
  verifiedEmail(callback: URL, flow: Flow): Promise<string | null>;
}

/** Creates a provider without connecting to it. `redirect_uri` is the URL of the callback. */
export function createProvider(
  { issuer, clientId, clientSecret }: NonNullable<Env['oidc']>,
  redirect_uri: string,
): Provider {
  let discovery: Promise<Configuration> | undefined;
  const library = () => import('openid-client');

  const configuration = () => {
    discovery ??= discover().catch((error: unknown) => {
      discovery = undefined;
      throw error;
    });
    return discovery;
  };

  async function discover(): Promise<Configuration> {
    const client = await library();
    const url = new URL(issuer);
    // Allows plain HTTP only for an issuer configured without TLS: for tests, never as a downgrade.
    const execute = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    return client.discovery(url, clientId, clientSecret, undefined, { execute });
  }

  return {
    async authorizationUrl({ state, nonce, verifier }) {
      const client = await library();
      const code_challenge = await client.calculatePKCECodeChallenge(verifier);
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge,
        code_challenge_method: 'S256',
      });
    },
    async verifiedEmail(callback, { state, nonce, verifier }) {
      const client = await library();
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The identity provider sent no ID token.');
      const { email, email_verified } =
        claims.email === undefined ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
      return typeof email === 'string' && email_verified === true ? email : null;
    },
  };
}

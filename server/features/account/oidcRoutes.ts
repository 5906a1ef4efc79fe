/**
 * Log-in by OpenID Connect: authorization code flow with PKCE, state and nonce. Finds the user by verified e-mail
 * address; creates none.
 */
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointInput } from '../../../schema/endpoints';
import { countAttempt } from '../../auth/attemptLimit';
import { randomToken, sha256 } from '../../auth/secrets';
import { clientInfoOf } from '../../auth/sessions';
import { ApiError } from '../../context/errors';
import type { Routes, Services } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix } from '../../http/http';
import { consumeLoginTicket, findUserOfTicket, invalidTicket, issueLoginTicket, startLogin } from './loginFlow';
import { createProvider } from './provider';

const path = `${apiPrefix}/login/oidc`;
/** Minutes allowed for signing in at the provider. */
const flowMinutes = 10;
/**
 * Binds the callback to the browser that started the flow, so that nobody can be signed in by another's link. The
 * cookie alone gives no access.
 */
const cookieName = 'sweepline_sso';

export const oidcRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, env, log } = services;
  const { oidc, publicUrl } = env;

  serve(app, 'GET /login/methods', async () => ({ data: { oidc: oidc !== undefined } }));
  const provider = oidc && createProvider(oidc, `${publicUrl}${path}/callback`);
  const requireProvider = () => {
    if (!provider) throw ApiError.notFound();
    return provider;
  };

  serve(app, 'GET /login/oidc', async (_input, request, reply) => {
    const identityProvider = requireProvider();
    await countAttempt(db, { key: `sign-in elsewhere from ${request.address}`, maxAttempts: 60, seconds: 600 });
    const browserToken = randomToken();
    const flow = { state: randomToken(), nonce: randomToken(), verifier: randomToken(48) };
    const target = await identityProvider
      .authorizationUrl(flow)
      .catch((err: unknown) => void log.error({ err }, 'the identity provider is unreachable'));
    if (!target) return redirectToLogin(reply, 'failed');
    await db.rows(sql`
      insert into oidc_flows (state_hash, browser_hash, nonce, verifier, expires_at)
      values (${sha256(flow.state)}, ${sha256(browserToken)}, ${flow.nonce}, ${flow.verifier}, now() +
        ${flowMinutes}::int *
      interval '1 minute')`);
    return reply.header('Set-Cookie', printCookie(browserToken)).redirect(target.href);
  });

  // Providers add parameters of their own.
  const config = { parameters: undefined };
  serve(app, 'GET /login/oidc/callback', onCallback, { config });
  async function onCallback(
    { query }: EndpointInput<'GET /login/oidc/callback'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const identityProvider = requireProvider();
    const state = query.state ?? '';
    const browserToken = readBrowserToken(request);
    const flow = await db.selectOne(
      { nonce: pg.text, verifier: pg.text },
      sql`
      delete from oidc_flows where state_hash = ${sha256(state)} and browser_hash = ${sha256(browserToken)}
      and expires_at > now() returning nonce, verifier`,
    );
    if (!flow) return redirectToLogin(reply, 'failed');
    const address = await identityProvider
      .verifiedEmail(new URL(request.url, publicUrl), { state, ...flow })
      .catch((err: unknown) => {
        log.warn({ err }, 'a sign-in with the identity provider failed');
        return undefined;
      });
    if (address === undefined) return redirectToLogin(reply, 'failed');
    const user = address === null ? undefined : await findUserByEmail(db, address);
    return redirectToLogin(reply, user ? await issueLoginTicket(db, user, browserToken) : 'unknown');
  }

  serve(app, 'POST /login/oidc', async ({ body: { ticket } }, request) => {
    requireProvider();
    const userId = await findUserOfTicket(db, ticket, readBrowserToken(request));
    if (userId === undefined) throw invalidTicket();
    request.accountId = userId;
    await consumeLoginTicket(db, ticket);
    await auditFirstSignIn(services, userId);
    return new JsonText(await startLogin(services, userId, clientInfoOf(request)));
  });

  /** The outcome is in the fragment (`#`), which neither servers nor logs see. */
  const redirectToLogin = (reply: FastifyReply, outcome: string) => reply.redirect(`${publicUrl}/login#sso=${outcome}`);

  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const printCookie = (value: string) =>
    `${cookieName}=${value}; HttpOnly; SameSite=Lax; Path=${apiPrefix}/login; Max-Age=${flowMinutes * 60}${secure}`;
};

const readBrowserToken = ({ headers }: FastifyRequest): string =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';

/** Audits the first sign-in of a user by the identity provider. */
async function auditFirstSignIn({ db, model }: Services, userId: number): Promise<void> {
  const earlierEntry = await db.one(
    sql`select 1 from audit where entity = 'users' and record_id = ${userId} and action = 'oidc_link' limit 1`,
  );
  if (earlierEntry) return;
  const entity = model.require('users');
  await writeAuditEntries(db, { entity, by: { userId }, action: 'oidc_link' }, [{ id: userId }]);
}

async function findUserByEmail(db: Queries, address: string): Promise<number | undefined> {
  return (
    await db.selectOne(
      { id: pg.integer },
      sql`select id from users where lower(email) = lower(${address}) and deleted_at is null`,
    )
  )?.id;
}

/**
 * No request blocks another. Every route receives payloads at and beyond every limit over a real port, without a
 * session and as each role, while another client sends cheap requests. With `SWEEPLINE_TEST_WHOLE=yes` every role sends
 * every payload to every route. By default each kind of database receives half of the payloads of public routes and one
 * in 38 of the others, mostly from Admin, who has the widest access; the two kinds receive different ones. Slow requests
 * are repeated and count only if they are slow every time, since the test machine may be busy.
 */
import { Agent, request } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleNames } from '../../../schema/dsl/entity';
import { buildHostileBodies, buildHostileQueries, type HostileBody } from '../../support/buildHostileBodies';
import { listRoutes, type ServedRoute } from '../../support/listRoutes';
import { databaseKind, startTestWorld, type TestApp } from '../../support/startTestApp';
import type { World } from '../../support/world';

/** Longest response time of other requests and of the attack itself, in milliseconds. */
const maxWait = 250;
const maxResponseTime = 2000;
/** Number of consecutive slow responses after which a request is reported. */
const maxSlowCalls = 4;

let app: TestApp;
let world: World;
let port: number;
let secret: string;
const tokens = new Map<Sender, string>();
const attackers = new Agent({ keepAlive: true });
const otherClients = new Agent({ keepAlive: true, maxSockets: 1 });

const senders = ['nobody', ...roleNames] as const;
type Sender = (typeof senders)[number];

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`
    insert into machines (serial_number, fleet_id, type_id, note)
    select 'W' || n, ${world.north.fleets[0]}::int, ${world.type}::int, repeat('cleaned the floor ', 5) || n from generate_series(1, 1500) n`);
  secret = (
    await app.call<{ data: { secret: string } }>(world.admin, 'POST', `trackers/${world.north.trackers[0]}/secret`)
  ).body.data.secret;
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  attackers.destroy();
  otherClients.destroy();
  await app.close();
});

interface Attack {
  method: string;
  path: string;
  sender: Sender;
  body?: HostileBody;
}

interface SentRequest {
  status: number;
  /** Milliseconds until the response was complete. */
  duration: number;
}

function send(
  agent: Agent,
  {
    method,
    path,
    body,
    token,
  }: { method: string; path: string; body?: HostileBody | undefined; token?: string | undefined },
): Promise<SentRequest> {
  const start = performance.now();
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
  };
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      response.on('data', () => undefined);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, duration: performance.now() - start }));
      response.on('error', () => resolve({ status: 0, duration: performance.now() - start }));
    });
    // A request that is rejected before it was read may be cut off.
    outgoing.on('error', () => resolve({ status: 0, duration: performance.now() - start }));
    outgoing.end(body?.bytes);
  });
}

async function loadToken(sender: Sender): Promise<string | undefined> {
  if (sender === 'nobody') return undefined;
  const token = tokens.get(sender) ?? (await app.createSessionToken(world.users[sender]));
  tokens.set(sender, token);
  return token;
}

interface MeasuredAttack extends SentRequest {
  /** Longest response time of other requests meanwhile. */
  longestDelay: number;
}

/**
 * Sends the attack. Meanwhile another client alternates between a list and the health check until the attack is
 * answered.
 */
async function measureAttack({ method, path, sender, body }: Attack): Promise<MeasuredAttack> {
  const token = path === '/api/v1/ingest' ? secret : await loadToken(sender);
  const adminToken = await loadToken('admin');
  let isAnswered = false;
  let longestDelay = 0;
  const attack = send(attackers, { method, path, body, token }).then((result) => {
    isAnswered = true;
    return result;
  });
  for (let round = 0; round === 0 || !isAnswered; round += 1) {
    const cheapRequest = await send(
      otherClients,
      round % 2 === 0
        ? { method: 'GET', path: '/api/v1/languages?per_page=1', token: adminToken }
        : { method: 'GET', path: '/healthz' },
    );
    longestDelay = Math.max(longestDelay, cheapRequest.duration);
  }
  return { ...(await attack), longestDelay };
}

const isSlow = ({ duration, longestDelay }: MeasuredAttack) => duration > maxResponseTime || longestDelay > maxWait;

/** Describes the problem that an attack causes; `undefined` unless it occurs every time. */
async function findFault(attack: Attack): Promise<string | undefined> {
  let lastResult: MeasuredAttack | undefined;
  for (let round = 0; round < maxSlowCalls; round += 1) {
    lastResult = await measureAttack(attack);
    if (lastResult.status === 401 && attack.sender !== 'nobody') {
      // The call may have ended the sender's own sessions.
      tokens.delete(attack.sender);
      lastResult = await measureAttack(attack);
    }
    if (lastResult.status === 500) break;
    if (!isSlow(lastResult)) return undefined;
  }
  const { status, duration, longestDelay } = lastResult as MeasuredAttack;
  const name = `${attack.method} ${attack.path.slice(0, 120)} (${attack.body?.name ?? 'query'}) as ${attack.sender}`;
  return `${name}: ${status} in ${Math.round(duration)} ms, others waited ${Math.round(longestDelay)} ms`;
}

/** Replaces the ids in a path by those of a row of the north client. */
function fillPath(path: string): string {
  const [, resource = ''] = /^\/api\/v1\/(\w+)/.exec(path) ?? [];
  const { north } = world;
  const rows: Record<string, number | undefined> = {
    ...Object.fromEntries(
      Object.entries(north).map(([name, value]) => [name, Array.isArray(value) ? value[0] : undefined]),
    ),
    clients: north.client,
    users: north.users.operator,
    invitations: north.invitation,
    imports: north.import,
    languages: world.language,
    types: world.type,
    roles: world.roles.operator,
  };
  return path
    .replace('/ingest/tb/api/v1/:token', `/ingest/tb/api/v1/${secret}`)
    .replace(/:id\b|:clientId\b/g, String(rows[resource] ?? 1))
    .replace(/:row\b/g, '2')
    .replace(/:\w+/g, 'x');
}

/**
 * Excludes requests that wait by design (the event stream, and the polls of ThingsBoard devices), and files of the web
 * application, which take no input.
 */
const isAttackable = ({ method, path }: ServedRoute) =>
  !path.includes('*') &&
  !['HEAD', 'OPTIONS'].includes(method) &&
  path !== '/api/v1/events' &&
  !(method === 'GET' && /\/(rpc|attributes\/updates)$/.test(path)) &&
  !path.startsWith('/api/v1/companies');

const isExhaustive = process.env.SWEEPLINE_TEST_WHOLE === 'yes';

/** Whether a path is called without a session, or with the secret of a device. */
const isPublic = (path: string) =>
  /^\/ingest|^\/api\/v1\/(ingest|login|emails\/verify|invitations\/accept|users\/(forgot|verifyReset)Password)/.test(
    path,
  );

/**
 * Whether the attack with this index is sent to the route with this index. The two kinds of database together send every
 * payload to public routes, and at least one to each other route.
 */
const isSelected = (path: string, routeIndex: number, attackIndex: number) => {
  const interval = isPublic(path) ? 2 : 38;
  return isExhaustive || (routeIndex + attackIndex) % interval === (databaseKind === 'postgres' ? interval / 2 : 0);
};

/** Senders of the nth attack: Admin, and others in turn. */
const sendersOf = (index: number): Sender[] => {
  const otherSenders = senders.filter((sender) => sender !== 'admin');
  return isExhaustive
    ? ['admin', ...otherSenders]
    : index % 8 === 0
      ? ['admin', otherSenders[(index / 8) % otherSenders.length] as Sender]
      : ['admin'];
};

const groups = [
  { name: 'reading', methods: ['GET'] },
  { name: 'writing', methods: ['POST', 'PUT', 'PATCH'] },
  { name: 'deleting', methods: ['DELETE'] },
];

describe.each(groups)('$name calls', ({ methods }) => {
  test('do not block other requests, whatever the payload', async () => {
    const routes = listRoutes(app.app).filter((route) => methods.includes(route.method) && isAttackable(route));
    expect(routes.length).toBeGreaterThan(15);
    const faults: string[] = [];
    let attackIndex = 0;
    for (const [routeIndex, { method, path }] of routes.entries()) {
      const address = fillPath(path);
      const attacks =
        method === 'GET'
          ? buildHostileQueries(path).map((query) => ({ path: `${address}?${query}` }))
          : buildHostileBodies(path).map((body) => ({ path: address, body }));
      for (const attack of attacks.filter((_, index) => isSelected(path, routeIndex, index))) {
        attackIndex += 1;
        for (const sender of sendersOf(attackIndex)) {
          const fault = await findFault({ method, sender, ...attack });
          if (fault) faults.push(fault);
        }
      }
    }
    expect(attackIndex).toBeGreaterThan(50);
    expect(faults).toEqual([]);
  }, 3_600_000);
});

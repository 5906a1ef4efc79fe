/**
 * What the parts of the server share. Built by `main.ts`, by tests with their own parts, and handed to every plugin as
 * `app.services`.
 */
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { Entity } from '../../schema/dsl/entity';
import type { Database } from '../db/core/database';
import type { Caller } from './caller';
import type { Env } from './env';
import type { EventBus } from './eventBus';
import type { Mailer } from './mailer';
import type { Storage } from './storage';

/** What the product shows of its demo, where there is one. */
export interface DemoInfo {
  /** One login per role. */
  logins: readonly { role: string; email: string; password: string }[];
}

export interface Services {
  env: Env;
  db: Database;
  mail: Mailer;
  storage: Storage;
  live: EventBus;
  demo?: DemoInfo;
  /** The registry that this process serves: `entities` of `schema/index.ts`, more in tests. */
  entities: readonly Entity[];
  /** Key of the browser's `user_token`, made at first start. */
  signingKey: Uint8Array;
  log: FastifyBaseLogger;
  now(): Date;
}

/** A group of routes. Paths are absolute. */
export type Routes = FastifyPluginAsync;

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
  }
  interface FastifyRequest {
    /** Set by the hook of `api/auth.ts` on every route but those with `config: { public: true }`. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Reached without a session. */
    public?: boolean;
    /**
     * The handler finds out whether the caller still holds: by `proven` where it reads, by `readCaller` in its
     * transaction where it writes.
     */
    proves?: boolean;
    /** Changes nothing although it is no GET: open to those who look at the product as another user. */
    reads?: boolean;
  }
}

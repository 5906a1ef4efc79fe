/**
 * Dependencies shared by all parts of the server. Built by `main.ts` or by tests, available to plugins as
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

/** What the product shows of its demo, if it runs one. */
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
  /** Key that signs the browser's `user_token`. */
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
    /** Set by the hook `authenticate` on every route without `config: { public: true }`. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Needs no session. */
    public?: boolean;
    /**
     * The handler verifies the caller itself: by `withOptimisticAuth` in reads, by `readCaller` in the transaction of
     * writes.
     */
    proves?: boolean;
    /** Changes nothing although its method is not GET; allowed during an impersonation. */
    reads?: boolean;
  }
}

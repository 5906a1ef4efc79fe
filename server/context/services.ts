/**
 * Dependencies shared by all parts of the server. Built by `startServices`, available to plugins as `app.services`.
 */
import type { SQL } from 'drizzle-orm';
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { Entity } from '../../schema/dsl/entity';
import type { Field } from '../../schema/dsl/field';
import type { Database, Queries } from '../db/core/database';
import type { LogPosition } from '../db/core/logPosition';
import type { CachedBuild } from '../shared/createBuildCache';
import type { Caller } from './caller';
import type { Env } from './env';
import type { FieldProblem } from './errors';
import type { EventBus } from './eventBus';
import type { Mailer } from './mailer';
import type { ObjectStorage } from './objectStorage';
import type { Storage } from './storage';

/** The demo, if the product runs one. */
export interface DemoInfo {
  /** One login per role. */
  logins: readonly { role: string; email: string; password: string }[];
  /** Whether machines still lack older days, which this or another process adds. */
  isHistoryLoading(db: Database): Promise<boolean>;
}

export interface Services {
  env: Env;
  db: Database;
  mail: Mailer;
  storage: Storage;
  /** Set with `FILES_URL`. */
  objects?: ObjectStorage;
  live: EventBus;
  demo?: DemoInfo;
  /** The entities that this application serves: those of `schema/index.ts`; tests add more. */
  model: EntityModel;
  /** Key that signs user tokens, and from which the key of stored secrets is derived (`encryptedSecret.ts`). */
  signingKey: Uint8Array;
  log: FastifyBaseLogger;
  now(): Date;
}

/** A group of routes. Paths are absolute. */
export type Routes = FastifyPluginAsync;

/** A declared entity in the model of one application, which gives access to all other entities. */
export interface ModelEntity extends Entity {
  readonly model: EntityModel;
  /** What the entity does beyond the calls that every entity has. */
  readonly hooks: EntityHooks;
  /** By name: `fleet`, `fleets`, `machines`. */
  readonly relations: ReadonlyMap<string, Relation>;
}

export interface Relation {
  name: string;
  /** The declared field that defines the relation: `fleet_id`, `fleet_ids`, `machines`. */
  field: Field;
  fieldName: string;
  target: ModelEntity;
  /** Whether a row has at most one. */
  isToOne: boolean;
}

export interface EntityModel {
  /** In the order in which they were declared. */
  readonly entities: readonly ModelEntity[];
  find(name: string): ModelEntity | undefined;
  /** Throws if the application has no such entity. */
  require(name: string): ModelEntity;
  cachedBuild: CachedBuild;
}

export interface WriteContext {
  tx: Queries;
  caller: Caller;
  services: Services;
  /** Id of the row after the write; 0 before a creation. */
  id: number;
  /** Values that the client sent and may write, each valid in itself. Hooks may change them in place. */
  values: Record<string, unknown>;
  /** The stored row before the write; `undefined` on creation. */
  current: Record<string, unknown> | undefined;
  /** Cache shared by the rows of a bulk request, filled by `before`. */
  cache?: Map<string, unknown>;
  /** Records a problem; all problems of a write become one 422. */
  fail(field: string, problem: FieldProblem): void;
}

/** Context of a write to an existing row. */
export type RowEdit = WriteContext & { current: Record<string, unknown> };

export interface EntityHooks {
  /**
   * SQL of fields with `store: 'derived'`. `row` is the alias of the entity's table, `state` that of its side table.
   */
  derived?: Record<string, (context: { entity: ModelEntity; row: SQL; state: SQL; caller: Caller }) => SQL>;
  /** SQL to sort a derived field by, if cheaper than its value; must order rows in the same way. */
  order?: Record<string, (context: { row: SQL }) => SQL>;
  /** SQL of the value of each bucket that is declared by words, not by ranges. */
  buckets?: Record<string, (context: { row: SQL; state: SQL }) => SQL>;
  /** Fields that exports format specially: the SQL to select, and the text of its result. */
  exportFormats?: Record<
    string,
    {
      sql(context: { entity: ModelEntity; row: SQL; caller: Caller }): SQL;
      format(value: unknown, context: { entity: ModelEntity; caller: Caller }): string;
    }
  >;
  /** SQL condition: sums include the row. */
  summedWhere?(row: SQL): SQL;
  /** Further condition on the rows of a `many` relation that declares `narrowed`. */
  narrowedWhere?: Record<string, (row: SQL) => SQL>;
  /** Query with one column: names of files that are referenced other than by image fields. */
  files?: SQL;
  /**
   * Fields that users may change on their own row without `<entity>.edit`. For fields in `hiddenDuplicates` the
   * response hides whether another row has the same value, so that nobody can probe for other users; `before` must
   * require proof of ownership first.
   */
  own?: {
    fields: readonly string[];
    is(caller: Caller, id: number): boolean;
    hiddenDuplicates?(caller: Caller): readonly string[];
  };
  /**
   * Others may refer to a row while it is edited, and until the last step of its deletion. Foreign keys would otherwise
   * wait for the end of bulk work or an import.
   */
  isReferableWhileEdited?: true;
  /** Locks what others lock before they refer to the rows. Called before the last step of a deletion locks the rows. */
  lockBeforeTrash?(tx: Queries, ids: readonly number[]): Promise<unknown>;
  /** Validates and completes values before they are stored, after the rules of the declaration. Must not write. */
  before?(context: WriteContext): Promise<void>;
  /**
   * SQL of columns of a new row that follow from its other values, which may be placeholders. Evaluated after `before`,
   * or by the insert itself. `undefined` keeps the value that was sent.
   */
  onInsert?: Record<string, (values: Record<string, unknown>, today: unknown) => SQL | undefined>;
  /** Stores values outside of the entity's own columns, once the row exists. */
  after?(context: WriteContext): Promise<void>;
  /** Stores consequences of one edit applied to existing rows; not called on creation. */
  afterEdit?(changes: readonly RowEdit[]): Promise<void>;
  /** Throws if the row must not be deleted. */
  beforeDelete?(context: {
    tx: Queries;
    caller: Caller;
    services: Services;
    id: number;
    current: Record<string, unknown>;
  }): Promise<void>;
  /**
   * Stores consequences after rows were soft-deleted or restored. Not called for rows that were deleted or restored
   * along with another row.
   */
  afterTrash?(context: {
    tx: Queries;
    caller: Caller;
    services: Services;
    rows: readonly Record<string, unknown>[];
  }): Promise<void>;
  /** Tables whose rows are purged with a row although no foreign key cascades; `column` holds the id of that row. */
  purgedWith?: { tables: readonly string[]; column: string };
  /**
   * Runs after the commit, to publish events about other rows. Mails belong in `after`, which runs in the transaction.
   */
  afterCommit?(context: {
    caller: Caller;
    services: Services;
    id: number;
    action: 'create' | 'edit' | 'delete' | 'restore';
    values: Record<string, unknown>;
  }): Promise<void>;
  /** The caller to use for reading single rows without `<entity>.show`, or `undefined` to refuse. */
  viewer?(caller: Caller): Caller | undefined;
  /** Extra properties of the response for a single row. */
  extraFields?(services: Services, caller: Caller, id: number): Promise<Record<string, unknown>>;
  /** Calls beyond CRUD. They must check `requirePermission` and `scopeWhere` themselves. */
  routes?: Routes;
}

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
  }
  interface FastifyRequest {
    /** Set by the hook `authenticate` on every route without `config: { public: true }`. */
    caller: Caller;
    /** Address of the client, behind trusted proxies. Unlike `ip`, still known after its connection has closed. */
    address: string;
    /**
     * Log position that a replica must have replayed to serve this request; set with `caller` if there are replicas.
     */
    logPosition: LogPosition | undefined;
    /** Id of the user whose password or link a call without a session has proven; 0 if none. For the security log. */
    accountId: number;
  }
  interface FastifyContextConfig {
    /** Needs no session. */
    public?: boolean;
    /**
     * The handler verifies the caller itself: by `withOptimisticAuth` in reads, by `readCaller` in the transaction of
     * writes.
     */
    optimisticAuth?: boolean;
    /** Open to wall tokens; routes without it are closed to them. */
    wall?: boolean;
    /** Changes nothing although its method is not GET; allowed during an impersonation. */
    reads?: boolean;
    /** A replica may serve it, by `readOnReplica` or `withOptimisticAuth`. */
    replica?: boolean;
  }
}

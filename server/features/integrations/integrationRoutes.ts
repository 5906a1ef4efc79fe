/** Calls of an integration: its secret, a preview of a message, its unreadable messages and their replay. */
import { sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { MessageMapping } from '../../../schema/dsl/messageMapping';
import type { Language } from '../../../schema/shared/languages';
import { randomToken } from '../../auth/secrets';
import { seal } from '../../context/encryptedSecret';
import { ApiError } from '../../context/errors';
import type { LiveEvent } from '../../context/eventBus';
import type { Routes } from '../../context/services';
import { printPagination } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { isDatabaseAway } from '../../db/core/faults';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix, queryStringOf } from '../../http/http';
import { problemText } from '../../i18n/messages';
import { parseJsonBody } from '../../telemetry/adapters/json';
import { printPayload } from '../../telemetry/ingest/receive';
import { InvalidMessage } from '../../telemetry/timeline/observation';
import { auditVendorMessage } from './auditVendorMessage';
import { findIntegration, integrationOwner, type VendorIntegration } from './findIntegration';
import { type MessageReason, readVendorMessage } from './readVendorMessage';
import { storeVendorMessage } from './storeVendorMessage';

/** Maximum objects of a preview. */
const maxPreviewItems = 20;
/** Maximum messages of a replay, each in its own transaction. */
const maxReplayedMessages = 100;

export const integrationRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, env, live, log, model, signingKey } = services;

  serve(app, 'POST /integrations/{id}/secret', async ({ params: { id }, body, transaction }, _request, reply) => {
    const secret = body.secret ?? `swi_${randomToken()}`;
    await transaction(async (tx, caller) => {
      await tx.rows(sql`
        insert into integration_secrets (integration_id, secret, created_at)
        values (${id}, ${seal(signingKey, Buffer.from(secret), integrationOwner(id))},
          ${services.now().toISOString()}::timestamptz)
        on conflict (integration_id) do update set secret = excluded.secret, created_at = excluded.created_at`);
      await writeAuditEntries(tx, { entity: model.require('integrations'), by: caller, action: 'secret' }, [{ id }]);
    });
    reply.header('Cache-Control', 'no-store');
    return { data: { secret } };
  });

  serve(app, 'POST /integrations/{id}/preview', async ({ params: { id }, body }, { caller: { language } }) => {
    const integration = await requireIntegration(db, id);
    const mapping = (body.mapping as MessageMapping | null | undefined) ?? integration.mapping;
    const message = parseMessage(body.message);
    const { items, ignored, reasons } = await readVendorMessage(
      db,
      { ...integration, mapping },
      { message, now: services.now() },
    );
    const printReasons = createReasonPrinter(language);
    return {
      data: {
        items: items
          .slice(0, maxPreviewItems)
          .map(({ kind, index, machine, vendorMachine, values, reasons: itemReasons }) => ({
            kind,
            index,
            serial: machine ?? null,
            machine: vendorMachine ? { id: vendorMachine.id, serial_number: vendorMachine.serialNumber } : null,
            values,
            problems: printReasons(itemReasons),
          })),
        total: items.length,
        ignored,
        problems: printReasons(reasons),
      },
    };
  });

  serve(app, 'GET /integrations/{id}/messages', async ({ params: { id } }, request) => {
    const search = queryStringOf(request);
    const query = parseListQuery(search);
    const rows = await db.select(
      {
        id: pg.integer,
        received_at: pg.timestamptz,
        times: pg.integer,
        body: pg.bytea,
        reasons: pg.json<MessageReason[]>(),
        total: pg.integer,
      },
      sql`select id, received_at, times, body, reasons, (count(*) over ())::int as total from integration_messages
        where integration_id = ${id}::int order by received_at desc, id desc
        limit ${query.per_page}::int offset ${(query.page - 1) * query.per_page}::bigint`,
    );
    const printReasons = createReasonPrinter(request.caller.language);
    const data = rows.map(({ id: messageId, received_at, times, body, reasons }) => ({
      id: messageId,
      received_at: received_at.toISOString(),
      times,
      body: printPayload(body),
      problems: printReasons(reasons),
    }));
    const total = rows[0]?.total ?? (await countMessages(db, id));
    const path = `${env.publicUrl}${apiPrefix}/integrations/${id}/messages`;
    return new JsonText(`{"data":${JSON.stringify(data)},${printPagination(query, total, { search, path })}}`);
  });

  serve(app, 'POST /integrations/{id}/replay', async ({ params: { id }, transaction }) => {
    const now = services.now();
    const counts = { messages: 0, stored: 0, duplicates: 0, unread: 0 };
    const events: LiveEvent[] = [];
    const messages = await transaction((tx) =>
      tx.select(
        { id: pg.integer, received_at: pg.timestamptz, body: pg.bytea },
        sql`select id, received_at, body from integration_messages where integration_id = ${id}::int
          order by read_at, id limit ${maxReplayedMessages}::int`,
      ),
    );
    for (const { id: messageId, received_at: receivedAt, body } of messages) {
      counts.messages += 1;
      const result = await transaction(async (tx) => {
        const integration = await requireIntegration(tx, id);
        const storeResult = await storeVendorMessage(
          tx,
          { env, now },
          { integration, body: Buffer.from(body), receivedAt },
        );
        await auditVendorMessage(tx, { model, integration }, storeResult.correctedRuns);
        return storeResult;
      }).catch(async (err: unknown) => {
        if (err instanceof ApiError || isDatabaseAway(err)) throw err;
        // The next replay begins with the others.
        log.error({ err, messageId }, 'a message of an integration could not be stored');
        await db.rows(
          sql`update integration_messages set read_at = ${now.toISOString()}::timestamptz where id = ${messageId}::int`,
        );
      });
      if (!result) {
        counts.unread += 1;
        continue;
      }
      for (const name of ['stored', 'duplicates', 'unread'] as const) counts[name] += result.counts[name];
      events.push(...result.events);
    }
    const remaining = await countMessages(db, id);
    await live.publish([...events, { entity: 'integrations', id, type: 'updated', payload: { unread: remaining } }]);
    return { data: { ...counts, remaining } };
  });
};

async function requireIntegration(db: Queries, id: number): Promise<VendorIntegration> {
  const integration = await findIntegration(db, id);
  if (!integration) throw ApiError.notFound();
  return integration;
}

async function countMessages(db: Queries, id: number): Promise<number> {
  const row = await db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from integration_messages where integration_id = ${id}::int`,
  );
  return row?.n ?? 0;
}

function parseMessage(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch (error) {
    throw error instanceof InvalidMessage
      ? ApiError.invalidAt('message', { text: 'malformed' }, 'integrations')
      : error;
  }
}

/** Returns a function that prints reasons as sentences, from the second object on with its number. */
const createReasonPrinter = (language: Language) => (reasons: readonly MessageReason[]) =>
  reasons.map(({ kind, index, field, problem }) => {
    const entity = kind === undefined ? 'integrations' : kind === 'runs' ? 'runs' : 'machines';
    const sentence = problemText(language, { entity, field, problem });
    return index ? `${index + 1}: ${sentence}` : sentence;
  });

/** Hooks of alert rules: fields by metric, preview, signing key of the webhook. */

import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { registry } from '../../../schema';
import { type AlertMetric, gracePeriodMetrics, thresholds } from '../../../schema/entities/alert_rules';
import { ApiError } from '../../context/errors';
import type { EntityHooks, Routes, WriteContext } from '../../context/services';
import { canFilterByView } from '../../crud/read/savedViewFilter';
import { validatePlaceOfClient, valueAfterWrite } from '../../crud/rules/validatePlaceOfClient';
import { validateDraft } from '../../crud/write/validateDraft';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { isoOfSeconds } from '../../telemetry/timeline/timeline';
import { createZonePreview } from './createZonePreview';
import { type ConditionSpec, findPastAlerts } from './findPastAlerts';
import type { Firing, FiringGroup } from './firings';
import { isTimeOfDay } from './quietHours';
import { parseWebhookUrl } from './webhookUrl';

/** Days that a preview covers, and the number of alerts it lists. */
const previewDays = 30;
const maxListedAlerts = 100;

const routes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const entity = model.require('alert_rules');
  const previewZones = createZonePreview(services);

  serve(app, 'POST /alert_rules/preview', async (_input, { caller, body }) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw ApiError.malformed();
    // A rule can be previewed before it has a name.
    const requestBody = { values: { name: '-', ...(body as Record<string, unknown>) }, images: new Map() };
    const values = await validateDraft({ services, tx: db, entity, caller, body: requestBody });
    const now = services.now();
    const from = new Date(now.getTime() - previewDays * 86_400_000);
    const spec = buildConditionSpec(values);
    const base = { days: previewDays, from: from.toISOString(), to: now.toISOString() };
    if (spec.metric === 'zone_uncleaned') {
      const { zones, watchedZones, unreadZones, alerts } = await previewZones(spec, { caller, from, now });
      const firings = latestAlerts(alerts).map((alert) => ({
        ...alertSpan(alert),
        machines: [],
        zones: alert.firings.map(({ id, name, floor_id, floor }) => ({
          id,
          name,
          floor: { id: floor_id, name: floor },
        })),
      }));
      const counts = { machines: 0, zones, watched_zones: watchedZones, unread_zones: unreadZones };
      return { data: { ...base, ...counts, count: alerts.length, firings } };
    }
    const { machines, alerts } = await findPastAlerts(
      { db, model },
      { ...spec, metric: spec.metric },
      {
        caller,
        from,
        now,
      },
    );
    const firings = latestAlerts(alerts).map((alert) => ({
      ...alertSpan(alert),
      machines: alert.firings.map(({ id, serial_number }) => ({ id, serial_number })),
      zones: [],
    }));
    const counts = { machines, zones: 0, watched_zones: 0, unread_zones: 0 };
    return { data: { ...base, ...counts, count: alerts.length, firings } };
  });

  serve(app, 'POST /alert_rules/{id}/secret', async ({ params: { id }, transaction }) => {
    const secret = await transaction(async (tx, caller) => {
      await writeAuditEntries(tx, { entity, by: caller, action: 'secret' }, [{ id }]);
      return createSecret(tx, id, true);
    });
    return { data: { secret } };
  });
};

const latestAlerts = <T>(alerts: readonly T[]): T[] => alerts.slice(-maxListedAlerts).reverse();

function alertSpan({ at, firings }: FiringGroup<Firing & { place: string | null }>) {
  const isOpen = firings.some(({ until }) => until === null);
  return {
    at: isoOfSeconds(at),
    until: isOpen ? null : isoOfSeconds(Math.max(...firings.map(({ until }) => until ?? 0))),
    place: firings[0]?.place ?? null,
  };
}

export const alertRuleHooks: EntityHooks = {
  before: async (context) => {
    validateMetricFields(context);
    validateQuietHours(context);
    validateWebhookUrl(context);
    await validatePlaceOfClient(context);
    await validateView(context);
  },
  after: async ({ tx, id, values }) => {
    if (typeof values.webhook_url === 'string') await createSecret(tx, id, false);
  },
  routes,
};

/** Creates the signing key of a rule. Replaces an existing one only with `renew`. */
async function createSecret(tx: Queries, id: number, renew: boolean): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await tx.rows(sql`
    insert into alert_rule_secrets (rule_id, secret) values (${id}, ${Buffer.from(secret)})
    on conflict (rule_id) do ${renew ? sql`update set secret = excluded.secret, created_at = now()` : sql`nothing`}`);
  return secret;
}

type RuleDraft = Pick<WriteContext, 'values' | 'current' | 'fail'>;

function validateMetricFields(context: RuleDraft): void {
  const { values, fail } = context;
  const metric = (valueAfterWrite(context, 'metric') ?? registry.alert_rules.fields.metric.default) as AlertMetric;
  if (metric === 'state' && (valueAfterWrite(context, 'state') ?? null) === null) fail('state', { key: 'choose' });
  const range = thresholds[metric];
  const threshold = valueAfterWrite(context, 'threshold');
  if (range && typeof threshold !== 'number') fail('threshold', { key: 'required' });
  if (range && typeof threshold === 'number' && threshold < range.min)
    fail('threshold', { key: 'min', values: { min: range.min } });
  if (range && typeof threshold === 'number' && threshold > range.max)
    fail('threshold', { key: 'max', values: { max: range.max } });
  // Metrics by day and by event have no hold time.
  if (!gracePeriodMetrics.includes(metric) && valueAfterWrite(context, 'hold_time')) values.hold_time = 0;
}

function validateQuietHours(context: RuleDraft): void {
  const { fail } = context;
  for (const [name, other] of [
    ['quiet_from', 'quiet_to'],
    ['quiet_to', 'quiet_from'],
  ] as const) {
    const time = valueAfterWrite(context, name) ?? null;
    if (typeof time === 'string' && !isTimeOfDay(time)) fail(name, { text: 'time_of_day' });
    if (time === null && (valueAfterWrite(context, other) ?? null) !== null) fail(name, { key: 'required' });
  }
}

function validateWebhookUrl({ values, fail, services }: Pick<WriteContext, 'values' | 'fail' | 'services'>): void {
  if (typeof values.webhook_url === 'string' && !parseWebhookUrl(values.webhook_url, services.env.webhookAllow))
    fail('webhook_url', { text: 'webhook_address' });
}

/**
 * Validates that the view is of machines and uses only fields that the caller may read, and that a rule about zones,
 * which watches no machines, has no view.
 */
async function validateView({ tx, caller, services, values, current, fail }: WriteContext): Promise<void> {
  const ruleView = valueAfterWrite({ values, current }, 'view_id') ?? null;
  if (ruleView !== null && valueAfterWrite({ values, current }, 'metric') === 'zone_uncleaned')
    return fail('view_id', { key: 'prohibited' });
  if (typeof values.view_id !== 'number') return;
  const view = await tx.selectOne(
    { resource: pg.text, query: pg.text.nullable },
    sql`select resource, query from saved_views where id = ${values.view_id}::int`,
  );
  if (view?.resource !== 'machines') fail('view_id', { text: 'view_of_machines' });
  else if (!canFilterByView(services.model.require('machines'), caller, view.query))
    fail('view_id', { text: 'beyond_own_rights' });
}

function buildConditionSpec(values: Record<string, unknown>): ConditionSpec {
  const fieldValue = (name: keyof ConditionSpec) => (values[name] ?? null) as never;
  return {
    client_id: fieldValue('client_id'),
    fleet_id: fieldValue('fleet_id'),
    location_id: fieldValue('location_id'),
    view_id: fieldValue('view_id'),
    metric: (values.metric ?? registry.alert_rules.fields.metric.default) as AlertMetric,
    state: fieldValue('state'),
    threshold: fieldValue('threshold'),
    error_code: fieldValue('error_code'),
    hold_time: (values.hold_time ?? 0) as number,
  };
}

/**
 * Hooks of report schedules. Saving one requires permission to read its report, makes the user its owner and plans its
 * next turn.
 */
import { problemOf } from '../../../schema/dsl/checks';
import { maxRecipients, type ScheduledName, scheduledNames } from '../../../schema/entities/report_schedules';
import { reportNames } from '../../../schema/shared/reportNames';
import type { EntityHooks, WriteContext } from '../../context/services';
import { findSavedView } from '../../crud/read/savedViewFilter';
import { validatePlaceOfClient, valueAfterWrite } from '../../crud/rules/validatePlaceOfClient';
import { buildListFile } from './buildListFile';
import { planTurns } from './planTurns';
import { canReadReport, viewProblem } from './readReport';

export const reportScheduleHooks: EntityHooks = {
  before: async (context) => {
    const { values, caller, current, fail } = context;
    if (current && Object.keys(values).length === 0) return;
    const report = (valueAfterWrite(context, 'report') ?? 'cleaning') as ScheduledName;
    if (report === 'list') Object.assign(values, { fleet_id: null, location_id: null });
    else if (reportNames.includes(report) && !canReadReport(caller, report, true))
      fail('report', { text: 'beyond_own_rights' });
    if (scheduledNames.includes(report)) await validateView(context, report);
    validateRecipients(context);
    await validatePlaceOfClient(context);
    // Otherwise an editor could have reports mailed that only the owner may see.
    if (current?.user_id !== caller.userId) values.user_id = caller.userId;
  },
  after: ({ tx, id, services }) => planTurns(tx, [id], services.now()),
  afterTrash: ({ tx, rows, services }) =>
    planTurns(
      tx,
      rows.map(({ id }) => id as number),
      services.now(),
    ),
};

/**
 * Validates the view. A list schedule needs one, and whoever saves the schedule must be able to open it and use its
 * filters.
 */
async function validateView(context: WriteContext, report: ScheduledName): Promise<void> {
  const { tx, caller, services, fail } = context;
  const { model } = services;
  const id = valueAfterWrite(context, 'view_id') as number | null | undefined;
  if (typeof id !== 'number') {
    if (report === 'list') fail('view_id', { key: 'required' });
    return;
  }
  const view = await findSavedView({ db: tx, model }, caller, id);
  if (!view) return fail('view_id', { key: 'exists' });
  const client = (valueAfterWrite(context, 'client_id') ?? 0) as number;
  const problem =
    report !== 'list'
      ? viewProblem(model, report, view, caller)
      : buildListFile(model, view, { caller, client })
        ? undefined
        : { text: 'beyond_own_rights' as const };
  if (problem) fail('view_id', problem);
}

function validateRecipients(context: WriteContext): void {
  const { values, current, fail } = context;
  if (current && values.user_ids === undefined && values.emails === undefined) return;
  const [users, emails] = ['user_ids', 'emails'].map((name) => (valueAfterWrite(context, name) ?? []) as unknown[]);
  if (users?.length === 0 && emails?.length === 0) fail('user_ids', { key: 'required' });
  if ((emails?.length ?? 0) > maxRecipients) fail('emails', { key: 'max_entries', values: { max: maxRecipients } });
  if (emails?.some((email) => problemOf({ kind: 'email' }, email))) fail('emails', { key: 'email' });
}

/** The summary of problems above a form: each problem links to its field, whatever its kind. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpError } from 'ra-core';
import type { ReactElement } from 'react';
import { CoreAdminContext, type DataProvider } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { entities } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import { weekdayCodes } from '../../schema/dsl/hours';
import { locations } from '../../schema/entities/locations';
import { users } from '../../schema/entities/users';
import { EntityForm } from '../../src/crud/record/EntityForm';
import { blankValues } from '../../src/crud/record/rules';
import { CreateRule } from '../../src/resources/alert_rules/RulePages';
import { CreateSchedule } from '../../src/resources/report_schedules/SchedulePages';
import { CreateRole } from '../../src/resources/roles/RoleForms';

// Validation happens only on the server here, which may reject any field.
vi.mock('../../src/crud/record/rules', async (original) => ({
  ...(await original<typeof import('../../src/crud/record/rules')>()),
  resolverOf: () => (values: object) => ({ values, errors: {} }),
}));
vi.mock('../../src/providers/auth', async (original) => ({
  ...(await original<typeof import('../../src/providers/auth')>()),
  can: () => true,
}));

const refusal = (errors: Record<string, string>) => new HttpError('Unprocessable', 422, { errors });
const problemsAt = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, `wrong ${path}`]));
let problems: Record<string, string> = {};
const rows = async () => ({ data: [], total: 0 });
const provider = {
  getList: rows,
  getMany: rows,
  create: () => Promise.reject(refusal(problems)),
} as unknown as DataProvider;

function openForm(form: ReactElement) {
  const element = <CoreAdminContext dataProvider={provider}>{form}</CoreAdminContext>;
  return render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />);
}

async function submit(): Promise<HTMLElement> {
  fireEvent.submit(await screen.findByRole('form'));
  const summary = (await screen.findByRole('heading', { name: 'form.errors_title' })).parentElement as HTMLElement;
  // The summary takes the focus after rendering.
  await waitFor(() => expect(summary.contains(document.activeElement)).toBe(true));
  return summary;
}

/** Id of the input that has the focus after a click on a problem; `undefined` if the problem is not a link. */
function focusedIdAfter(summary: HTMLElement, path: string): string | undefined {
  const link = [...summary.querySelectorAll('a')].find(({ textContent }) => textContent === `wrong ${path}`);
  if (!link) return undefined;
  (document.activeElement as HTMLElement).blur();
  fireEvent.click(link);
  const { activeElement } = document;
  if (activeElement === document.body) return 'nothing';
  return (activeElement?.closest('.sl-form-field')?.querySelector('[id^=field-]') ?? activeElement)?.id;
}

beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  // Hides the logged errors of the data provider.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const namesOf = (entity: Entity) =>
  Object.values(entity.form)
    .flat()
    .filter((name) => entity.fields[name]?.kind !== 'many');

test.each(
  entities.filter((entity) => namesOf(entity).length > 0).map((entity) => [entity.name, entity] as const),
)('problems of %s link to their fields', async (_, entity) => {
  const names = namesOf(entity);
  const [hiddenName, ...visible] = names as [string, ...string[]];
  const save = () => Promise.reject(refusal(problemsAt([...names, 'nothing.at_all'])));
  openForm(
    <EntityForm entity={entity} names={visible} values={blankValues(entity, visible)} save={save} onCancel={vi.fn()} />,
  );
  const summary = await submit();
  expect(summary.textContent).toContain(`wrong ${hiddenName}`);
  expect([hiddenName, 'nothing.at_all'].map((path) => focusedIdAfter(summary, path))).toEqual([undefined, undefined]);
  expect(visible.map((name) => focusedIdAfter(summary, name))).toEqual(visible.map((name) => `field-${name}`));
});

test.each([
  ['alert_rules', <CreateRule key="rule" />, ['name', 'metric', 'threshold', 'hold_time', 'quiet_from', 'state']],
  ['roles', <CreateRole key="role" />, ['name', 'permission_ids']],
  ['report_schedules', <CreateSchedule key="schedule" />, ['user_ids', 'day_of_month', 'weekday']],
] as const)('problems of the special inputs on pages of %s link to them, and hidden inputs get no link', async (_, page, paths) => {
  problems = problemsAt(paths);
  openForm(page);
  const summary = await submit();
  const isShown = (path: string) => document.getElementById(`field-${path}`) !== null;
  expect(paths.filter(isShown).length).toBeGreaterThan(1);
  expect(paths.map((path) => focusedIdAfter(summary, path))).toEqual(
    paths.map((path) => (isShown(path) ? `field-${path}` : undefined)),
  );
});

test('problems inside a list link to their input, or to the list if the input has no id', async () => {
  const paths = ['emails.0.email', 'emails.1.primary'];
  const values = { emails: [{ email: 'nobody', primary: true, verified: true }] };
  const focusedIds = [];
  for (const path of paths) {
    const save = () => Promise.reject(refusal(problemsAt([path])));
    openForm(<EntityForm entity={users} names={['emails']} values={values} save={save} onCancel={vi.fn()} />);
    focusedIds.push(focusedIdAfter(await submit(), path));
    cleanup();
  }
  expect(focusedIds).toEqual(['field-emails-0-email', 'field-emails']);
});

test('a problem of opening hours links to the invalid day or time', async () => {
  const week = Object.fromEntries(weekdayCodes.map((day) => [day, [{ from: '08:00', to: '18:00' }]]));
  const opening_hours = { note: null, holidays: null, exceptions: [], week: { ...week, tu: [{ from: '8', to: '' }] } };
  const save = () => Promise.reject(refusal(problemsAt(['opening_hours.week.tu.0'])));
  const names = ['opening_hours'];
  openForm(<EntityForm entity={locations} names={names} values={{ opening_hours }} save={save} onCancel={vi.fn()} />);
  const summary = await submit();
  expect(focusedIdAfter(summary, 'opening_hours.week.tu.0')).toBe('field-opening_hours');
  expect(document.activeElement).toBe(document.querySelector('.sl-hours-span [aria-invalid=true]'));
});

test('a form that is being saved is not sent twice', async () => {
  const save = vi.fn(() => new Promise<void>(() => undefined));
  openForm(<EntityForm entity={users} names={['emails']} values={{ emails: [] }} save={save} onCancel={vi.fn()} />);
  const form = await screen.findByRole('form');
  fireEvent.keyDown(form, { key: 's', ctrlKey: true });
  await screen.findByRole('button', { name: 'form.saving' });
  fireEvent.keyDown(form, { key: 's', ctrlKey: true });
  await waitFor(() => expect(save).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve));
  expect(save).toHaveBeenCalledOnce();
});

test('a list of records is described by its help and its problem', async () => {
  const save = () => Promise.reject(refusal(problemsAt(['emails'])));
  openForm(<EntityForm entity={users} names={['emails']} values={{ emails: [] }} save={save} onCancel={vi.fn()} />);
  await submit();
  const list = screen.getByRole('group', { name: 'resources.users.fields.emails' });
  expect(list.getAttribute('aria-describedby')).toBe('field-emails-help field-emails-problem');
});

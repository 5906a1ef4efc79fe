/** Space on a row opens it beside its list, for every declared entity; arrow keys move on, Escape returns. */
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { AdminContext, AdminUI, type DataProvider, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Entity } from '../../schema/dsl/entity';
import { codesOf, entities } from '../../schema/index';
import { resourceOf } from '../../src/app/resources';
import { createI18nProvider } from '../../src/providers/i18n';
import { session } from '../../src/providers/session';
import { ConfirmProvider } from '../../src/ui/ConfirmProvider';

// Pages load lazily, and the first one loads half of the application.
configure({ asyncUtilTimeout: 20_000 });

/** A row with a value for each kind that does not refer to other rows. */
const rowOf = (entity: Entity, id: number) => ({
  ...Object.fromEntries(
    Object.entries(entity.fields).map(([name, { kind, choices }]) => [
      name,
      kind === 'text' || kind === 'longtext' ? (choices?.[0] ?? `${name} ${id}`) : kind === 'tags' ? [] : null,
    ]),
  ),
  [entity.title]: entity.fields[entity.title]?.kind === 'ref' ? null : `title ${id}`,
  id,
  version: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

const getOne = vi.fn();

beforeEach(() => {
  getOne.mockClear();
  const payload = {
    id: 1,
    first_name: 'Ada',
    last_name: 'Example',
    roles: ['Admin'],
    permissions: entities.flatMap((entity) => codesOf(entity)),
    countries: [],
    language: { id: 1, name: 'English' },
  };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
  vi.stubGlobal('fetch', async () => new Response('{"data":[],"total":0}', { status: 200 }));
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const Frame = ({ children }: { children: ReactNode }) => (
  <main>
    <Suspense fallback="loading">{children}</Suspense>
  </main>
);

async function openList(entity: Entity): Promise<HTMLElement[]> {
  const i18nProvider = await createI18nProvider('en');
  const dataProvider = {
    getList: async (resource: string) =>
      resource === entity.name
        ? { data: [1, 2, 3].map((id) => rowOf(entity, id)), total: 3, meta: {} }
        : { data: [], total: 0, meta: {} },
    getOne: async (resource: string, { id }: { id: number }) => {
      getOne(resource, Number(id));
      return { data: rowOf(entity, Number(id)) };
    },
    getMany: async () => ({ data: [] }),
    getManyReference: async () => ({ data: [], total: 0 }),
  } as unknown as DataProvider;
  render(
    <TestMemoryRouter initialEntries={[`/${entity.name}`]}>
      <AdminContext dataProvider={dataProvider} i18nProvider={i18nProvider} store={memoryStore()}>
        <ConfirmProvider>
          <AdminUI layout={Frame} disableTelemetry>
            {resourceOf(entity)}
          </AdminUI>
        </ConfirmProvider>
      </AdminContext>
    </TestMemoryRouter>,
  );
  const body = (await screen.findAllByRole('table'))[0]?.querySelector('tbody') as HTMLElement;
  await within(body).findAllByRole('rowheader');
  return within(body).getAllByRole('row');
}

const openPanel = () =>
  vi.waitFor(() => {
    const panel = document.querySelector<HTMLElement>('.sl-peek');
    if (!panel) throw new Error('no panel');
    return panel;
  }, 20_000);

test.each(
  entities.map((entity) => [entity.name, entity] as const),
)('a row of %s opens beside its list, arrow keys move on, and Escape returns', async (_, entity) => {
  const [first, second] = (await openList(entity)) as [HTMLElement, HTMLElement];
  const user = userEvent.setup();
  first.focus();
  await user.keyboard(' ');
  const panel = await openPanel();
  await within(panel).findAllByRole('definition');
  expect(first.getAttribute('aria-current')).toBe('true');
  expect(getOne.mock.calls).toEqual([[entity.name, 1]]);

  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(second);
  expect([first, second].map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true']);
  await vi.waitFor(() => expect(getOne.mock.lastCall).toEqual([entity.name, 2]));

  await user.keyboard('{Escape}');
  expect(document.querySelector('.sl-peek')).toBeNull();
  expect(document.activeElement).toBe(second);
  expect(second.getAttribute('aria-current')).toBeNull();

  // Inside the panel, Escape returns the focus to the row.
  await user.keyboard(' ');
  within(await openPanel())
    .getByRole('button', { name: 'Close' })
    .focus();
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(second);
});

/** The history of an alert and its comments. */
import { QueryClient } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Row } from '../../schema/dsl/entity';
import type { alerts } from '../../schema/entities/alerts';
import { session } from '../../src/providers/session';
import { AlertNotes } from '../../src/resources/alerts/AlertNotes';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));

beforeEach(() => {
  const payload = { id: 1, roles: ['Partner'], permissions: ['alerts.acknowledge'], countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
});
afterEach(() => {
  cleanup();
  session.end();
});

const page = (alert: Partial<Row<typeof alerts>>) => (
  <CoreAdminContext queryClient={new QueryClient()}>
    <AlertNotes alert={alert as Row<typeof alerts>} />
  </CoreAdminContext>
);

test('a comment after the end of an alert follows the end', async () => {
  const note = { kind: 'comment', name: 'Ada' };
  call.mockResolvedValue({
    data: [
      { ...note, id: 1, text: 'Looking', at: '2026-03-01T10:00:00.000Z' },
      { ...note, id: 2, text: 'It was the fuse', at: '2026-03-01T12:00:00.000Z' },
    ],
  });
  render(
    page({
      id: 5,
      metric: 'offline',
      state: 'closed',
      opened_at: '2026-03-01T09:00:00.000Z',
      closed_at: '2026-03-01T11:00:00.000Z',
      closed_by: null,
    }),
  );
  await screen.findByText('Looking');
  const steps = [...document.querySelectorAll('ol > li')].map(
    (item) => item.querySelector('p')?.textContent ?? item.querySelector('span')?.textContent,
  );
  expect(steps).toEqual(['alerting.found', 'Looking', 'alerting.ended', 'It was the fuse']);
});

/** The recent timeline of a machine. */
import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { MachineRow } from '../../src/resources/machines/machineRow';
import { RecentTimeline } from '../../src/resources/machines/RecentTimeline';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));
vi.mock('../../src/providers/useLive', () => ({ useLive: () => {} }));
vi.mock('../../src/charts/TimelineStrip', () => ({
  TimelineStrip: ({ segments }: { segments?: unknown[] }) => <p>{segments ? 'drawn' : 'loading'}</p>,
}));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test.each(['', '?at=2026-03-01T11:00:00.000Z'])('stays on the page when a minute has passed (%s)', async (search) => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:30.000Z') });
  call.mockResolvedValue({ data: [] });
  const machine = { id: 7, last_seen: '2026-03-01T12:00:00.000Z' } as MachineRow;
  const { container } = render(
    <MemoryRouter initialEntries={[`/machines/7${search}`]}>
      <CoreAdminContext queryClient={new QueryClient()}>
        <RecentTimeline machine={machine} />
      </CoreAdminContext>
    </MemoryRouter>,
  );
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(container.textContent).toBe('drawn');
  call.mockReturnValue(new Promise(() => {}));
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(container.textContent).toBe('drawn');
});

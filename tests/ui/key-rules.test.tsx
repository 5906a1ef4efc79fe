/** The key rules dialog of a tracker (with replay) and of a machine type. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { KeyRules } from '../../src/crud/dialogs/KeyRules';
import { formatDateTime } from '../../src/i18n/format';
import { createI18nProvider } from '../../src/providers/i18n';

const { call, patchRow } = vi.hoisted(() => ({ call: vi.fn(), patchRow: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));
vi.mock('../../src/providers/rows', () => ({ patchRow }));

const button = (name: string) => screen.queryByRole('button', { name: `trackers.keys_${name}` }) as HTMLElement;

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

test.each([
  { of: 'types', replays: false, messages: 2 },
  { of: 'trackers', replays: true, messages: 0 },
] as const)('$of: typed rules are previewed, then saved', async ({ of, replays, messages }) => {
  const message = { received_at: '2026-01-01T10:00:00.000Z', protocol: 'thingsboard', read: null };
  call.mockImplementation(async (key: string) =>
    key.endsWith('preview')
      ? { data: Array.from({ length: messages }, (_, index) => ({ ...message, sent: `{"n":${index}}` })) }
      : { data: { messages: 0 } },
  );
  const onClose = vi.fn();
  render(
    <MemoryRouter>
      <CoreAdminContext>
        <KeyRules resource={of} id={7} name="Scrubber" rules={['soc -> battery']} onClose={onClose} />
      </CoreAdminContext>
    </MemoryRouter>,
  );
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'level -> battery\n' } });
  fireEvent.click(button('preview'));
  if (messages > 0) expect((await screen.findAllByRole('row')).length).toBe(messages);
  else await screen.findByText('trackers.keys_empty');
  const params = { id: 7 };
  expect(call.mock.lastCall).toEqual([
    `POST /${of}/{id}/preview`,
    { params, body: { key_rules: ['level -> battery'] } },
  ]);
  expect(button('replay') !== null).toBe(replays);
  fireEvent.click(button(replays ? 'replay' : 'save'));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(patchRow.mock.calls).toEqual([[of, 7, { key_rules: ['level -> battery'] }]]);
  expect(call.mock.calls.some(([key]) => key === 'POST /trackers/{id}/replay')).toBe(replays);
});

test('the preview shows the time of a message with its day, and its failure in the language of the user', async () => {
  const received_at = '2026-01-01T10:00:05.000Z';
  const message = { received_at, protocol: 'thingsboard', read: null, sent: '{"n":1}' };
  call.mockResolvedValueOnce({ data: [message] }).mockRejectedValueOnce(new Error('errors.network'));
  render(
    <MemoryRouter>
      <CoreAdminContext i18nProvider={await createI18nProvider('en')}>
        <KeyRules resource="types" id={7} name="Scrubber" rules={[]} onClose={() => undefined} />
      </CoreAdminContext>
    </MemoryRouter>,
  );
  const preview = await screen.findByRole('button', { name: 'Preview' });
  fireEvent.click(preview);
  await screen.findByRole('cell', { name: formatDateTime(received_at, { seconds: true }) });
  fireEvent.click(preview);
  expect((await screen.findByRole('alert')).textContent).not.toContain('errors.');
});

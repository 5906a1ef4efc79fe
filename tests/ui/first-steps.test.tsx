/** The checklist of an empty installation. */
import { cleanup, configure, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { FirstSteps } from '../../src/pages/dashboard/FirstSteps';
import { createI18nProvider } from '../../src/providers/i18n';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

const useServerConfig = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/useServerConfig', () => ({ useServerConfig }));
vi.mock('../../src/providers/rows', () => ({ fetchRows: async () => ({ data: [], total: 0 }) }));
vi.mock('../../src/providers/useLive', () => ({ useLive: () => undefined }));

test('shows the address for devices only once it is known', async () => {
  const element = async () => (
    <AdminContext store={memoryStore()} i18nProvider={await createI18nProvider('en')}>
      <FirstSteps />
    </AdminContext>
  );
  const { rerender } = render(await element());
  await screen.findAllByRole('status');
  expect(document.body.textContent).not.toContain('undefined');
  useServerConfig.mockReturnValue({ public_url: 'https://fleet.example' });
  rerender(await element());
  await screen.findByText('https://fleet.example/ingest/osmand');
});

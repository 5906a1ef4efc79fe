/**
 * QR codes contain PUBLIC_URL; saving or importing a file ends with a toast; files can be chosen again; documents that
 * cannot be loaded.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';
import { CoreAdminContext, type DataProvider } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Figures } from '../../src/charts/figures';
import type { Import } from '../../src/crud/imports/import';
import { useImportToast } from '../../src/crud/imports/useImportToast';
import { Documents } from '../../src/resources/machines/Documents';
import { DownloadStatistics } from '../../src/resources/machines/DownloadStatistics';
import { Label } from '../../src/resources/machines/Label';
import type { MachineRow } from '../../src/resources/machines/machineRow';
import { QrCode } from '../../src/resources/machines/QrCode';
import { ServiceFileInput } from '../../src/resources/service/ServiceFileInput';
import { ToastArea, Toasts } from '../../src/ui/Toasts';

const machine = { id: 7, serial_number: 'SN-7' };
const baseUrl = 'https://fleet.example.org';

const renderPage = (page: ReactNode) => {
  const client = new QueryClient();
  const withProviders = (content: ReactNode) => (
    <ToastArea>
      <MemoryRouter>
        <CoreAdminContext>
          <QueryClientProvider client={client}>
            <Toasts />
            {content}
          </QueryClientProvider>
        </CoreAdminContext>
      </MemoryRouter>
    </ToastArea>
  );
  const { rerender, container } = render(withProviders(page));
  return { container, redraw: (next: ReactNode) => rerender(withProviders(next)) };
};

beforeEach(() => {
  const config = { tile_url: null, tile_attribution: null, import_rows: 10, public_url: baseUrl };
  vi.stubGlobal('fetch', async () => Response.json({ data: config }));
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The modules of a code, which depend only on its content. */
const modulesOf = (container: ParentNode) =>
  [...container.querySelectorAll('svg path')].map((path) => path.getAttribute('d'));

test.each([
  ['the page of a machine', 4, <QrCode key="page" machine={machine as MachineRow} />],
  ['a label', 1, <Label key="label" machine={machine} box={{}} size={30} />],
])('%s: the QR code contains PUBLIC_URL, not the origin of the browser', async (_, marginSize, page) => {
  const { container } = renderPage(page);
  await waitFor(() => expect(modulesOf(container)).not.toEqual([]));
  const visible = modulesOf(container);
  cleanup();
  const code = (url: string) =>
    modulesOf(render(<QRCodeSVG value={url} level="M" marginSize={marginSize} />).container);
  expect(visible).toEqual(code(`${baseUrl}/machines/7`));
  expect(visible).not.toEqual(code(`${window.location.origin}/machines/7`));
});

const day = { from: '2026-03-01', to: '2026-03-01' } as Figures;

test('saving a statistics file ends with a toast', async () => {
  renderPage(<DownloadStatistics rows={[day]} name="SN-7" />);
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('toasts.downloaded');
});

test('a statistics file that cannot be saved shows an error', async () => {
  URL.createObjectURL = () => {
    throw new Error('no space left');
  };
  renderPage(<DownloadStatistics rows={[day]} name="SN-7" />);
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('no space left');
});

const ImportWatcher = ({ state, problem = null }: Pick<Import, 'state'> & Partial<Pick<Import, 'problem'>>) => {
  useImportToast({ id: 3, state, problem } as Import);
  return null;
};

test.each([
  ['committing', 'done', null, 'toasts.imported'],
  ['committing', 'failed', null, 'imports.report_failed'],
  ['checking', 'failed', 'This is no table.', 'This is no table.'],
  ['undoing', 'undone', null, 'imports.report_undone'],
  ['undoing', 'done', 'It could not be taken back.', 'It could not be taken back.'],
] as const)('shows a toast when an import goes from %s to %s', async (stateBefore, stateAfter, problem, message) => {
  const { redraw } = renderPage(<ImportWatcher state={stateBefore} />);
  redraw(<ImportWatcher state={stateAfter} problem={problem} />);
  await screen.findByText(message);
});

test('an import that was completed before the page opened shows no toast', () => {
  const { redraw } = renderPage(<ImportWatcher state="done" />);
  redraw(<ImportWatcher state="done" />);
  expect(screen.queryByText('toasts.imported')).toBeNull();
});

test('a file input is emptied, so that the same file can be chosen again after an error', () => {
  const { container } = renderPage(<ServiceFileInput onChoose={() => {}} />);
  const input = container.querySelector('input') as HTMLInputElement;
  const setValue = vi.spyOn(input, 'value', 'set');
  fireEvent.click(input);
  expect(setValue).toHaveBeenCalledWith('');
});

test('a machine whose documents cannot be loaded does not seem to have none', async () => {
  const getList = () => Promise.reject(new Error('Overloaded.'));
  render(
    <CoreAdminContext
      dataProvider={{ getList } as unknown as DataProvider}
      queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <Documents machine={machine as MachineRow} />
    </CoreAdminContext>,
  );
  await screen.findByRole('alert');
  expect(screen.queryByText('machine.no_documents')).toBeNull();
});

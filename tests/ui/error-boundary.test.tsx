/** The error boundary of pages. */
import { cleanup, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createI18nProvider } from '../../src/providers/i18n';
import { ErrorBoundary } from '../../src/ui/ErrorBoundary';

let renderCount = 0;
const consoleError = vi.spyOn(console, 'error');
beforeEach(() => {
  consoleError.mockReset();
  renderCount = 0;
});
afterEach(cleanup);

const Failing = () => {
  renderCount += 1;
  throw new Error('The pump stands still.');
};

async function open() {
  const i18nProvider = await createI18nProvider('en');
  const page = (path: string, content: React.ReactNode) => (
    <TestMemoryRouter>
      <AdminContext store={memoryStore()} i18nProvider={i18nProvider}>
        <ErrorBoundary resetKey={path} fallback={({ message }) => <p role="alert">{message}</p>}>
          {content}
        </ErrorBoundary>
      </AdminContext>
    </TestMemoryRouter>
  );
  const { rerender } = render(page('/machines', 'the list'));
  return (path: string, content: React.ReactNode) => rerender(page(path, content));
}

test('another path resets the error', async () => {
  const show = await open();
  show('/machines', <Failing />);
  expect(screen.getByRole('alert').textContent).toBe('The pump stands still.');
  show('/clients', 'the clients');
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByText('the clients');
});

test('a page that fails as its path is opened keeps its error', async () => {
  const show = await open();
  show('/machines', <Failing />);
  const attempts = renderCount;
  expect(attempts).toBeGreaterThan(0);
  cleanup();
  renderCount = 0;
  const showAgain = await open();
  showAgain('/clients', <Failing />);
  screen.getByRole('alert');
  expect(renderCount).toBe(attempts);
});

/** The button that copies a text. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CopyButton } from '../../src/ui/CopyButton';

configure({ asyncUtilTimeout: 20_000 });
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('says that its text is copied until the text changes', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  const { rerender } = render(<CopyButton text="first" />);
  fireEvent.click(screen.getByRole('button', { name: 'list.copy' }));
  await screen.findByRole('button', { name: 'list.copied' });
  expect(writeText).toHaveBeenCalledWith('first');
  rerender(<CopyButton text="second" />);
  screen.getByRole('button', { name: 'list.copy' });
});

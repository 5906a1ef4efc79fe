/** The head of a page. */
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { PageHead } from '../../src/ui/PageHead';

afterEach(cleanup);

test('screen readers hear the count of a list when a filter changes it', () => {
  const head = (count: string) => (
    <MemoryRouter>
      <PageHead title="Machines" count={count} />
    </MemoryRouter>
  );
  const { rerender } = render(head('1,500 results found'));
  const status = screen.getByRole('status');
  rerender(head('340 results found'));
  expect(screen.getByRole('status')).toBe(status);
  expect(status.textContent).toBe('340 results found');
});

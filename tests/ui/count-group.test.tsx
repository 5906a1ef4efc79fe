// @vitest-environment jsdom
/** Counts of the dashboard: those that are zero take one line instead of a tile each. */
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { CountGroup } from '../../src/pages/dashboard/CountGroup';

test('counts of zero are links in one line, others are tiles', () => {
  const { container } = render(
    <MemoryRouter>
      <CountGroup
        title="Open in total"
        counts={[
          { name: 'alerts', label: 'Open alerts', value: 1200, to: '/alerts', urgent: true },
          { name: 'silent', label: 'Silent machines', value: 0, to: '/machines', urgent: true },
          { name: 'waiting', label: 'Messages waiting', value: 0 },
          { name: 'unknown', label: 'Unknown devices', value: undefined },
        ]}
      />
    </MemoryRouter>,
  );
  const texts = (selector: string) => [...container.querySelectorAll(selector)].map((item) => item.textContent);
  expect(texts('.sl-figures > li')).toEqual(['Open alerts1,200', 'Unknown devices–']);
  expect(texts('.sl-figures-none > li')).toEqual(['Silent machines 0', 'Messages waiting 0']);
  expect(screen.getByRole('link', { name: 'Silent machines 0' }).getAttribute('href')).toBe('/machines');
  expect(texts('[data-urgent="true"]')).toEqual(['Open alerts1,200']);
});

/** Query strings of the tabs of the reports. */
import { expect, test } from 'vitest';
import { searchFor } from '../../src/pages/reports/useReport';

const search = new URLSearchParams('client_id=3&month=2026-09&by=location&view_id=7&page=2');

test('a report of the same rows keeps the filters and the saved view, but not the page', () => {
  expect(searchFor('runs', 'cleaning', search)).toBe('?client_id=3&month=2026-09&by=location&view_id=7');
});

test('a saved view of other rows is dropped', () => {
  expect(searchFor('costs', 'cleaning', search)).toBe('?client_id=3&month=2026-09&by=location');
  expect(searchFor(undefined, 'cleaning', search)).toBe('?client_id=3&month=2026-09&by=location');
});

test('without a choice there is no query string', () => {
  expect(searchFor('runs', 'cleaning', new URLSearchParams('page=2'))).toBe('');
});

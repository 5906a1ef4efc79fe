/** The search box of a list: typed text survives renders until the search is set elsewhere. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { ListContextProvider, type ListControllerResult } from 'ra-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { SearchBox } from '../../src/crud/list/SearchBox';

const setFilters = vi.fn();
const renderList = (search?: string) => (
  <ListContextProvider
    value={{ filterValues: search === undefined ? {} : { search }, setFilters } as unknown as ListControllerResult}
  >
    <SearchBox entity={machines} />
  </ListContextProvider>
);
const box = () => screen.getByRole<HTMLInputElement>('searchbox');
const type = (value: string) => fireEvent.change(box(), { target: { value } });

beforeEach(() => {
  vi.useFakeTimers();
  setFilters.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a list that renders again before it has applied the search does not discard it', () => {
  const { rerender } = render(renderList());
  type('DAY');
  vi.advanceTimersByTime(300);
  expect(setFilters).toHaveBeenCalledExactlyOnceWith({ search: 'DAY' });
  // Renders as after a live event, since the list applies filters with a delay.
  rerender(renderList());
  expect(box().value).toBe('DAY');
  rerender(renderList('DAY'));
  vi.advanceTimersByTime(1000);
  expect(box().value).toBe('DAY');
  expect(setFilters).toHaveBeenCalledOnce();
});

test('text typed while the list applies earlier text stays, and is searched', () => {
  const { rerender } = render(renderList());
  type('DAY');
  vi.advanceTimersByTime(300);
  type('DAY-7');
  rerender(renderList('DAY'));
  expect(box().value).toBe('DAY-7');
  vi.advanceTimersByTime(300);
  expect(setFilters).toHaveBeenLastCalledWith({ search: 'DAY-7' });
});

test('shows a search that was set or cleared elsewhere, without sending it again', () => {
  const { rerender } = render(renderList('A'));
  rerender(renderList('B'));
  expect(box().value).toBe('B');
  rerender(renderList());
  expect(box().value).toBe('');
  vi.advanceTimersByTime(1000);
  expect(setFilters).not.toHaveBeenCalled();
});

test('the input has the focus after it has been cleared', () => {
  render(renderList('DAY'));
  fireEvent.click(screen.getByRole('button'));
  expect(document.activeElement).toBe(box());
});

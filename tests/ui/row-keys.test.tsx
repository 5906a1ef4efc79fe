/** Arrow keys, Home and End move between the rows of a table that can have the focus. */
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handleRowKeys } from '../../src/crud/list/keys';

const actions = { edit: () => undefined, extend: () => undefined, peek: () => undefined, closePeek: () => false };
const row = (name: string) => (
  <tr tabIndex={-1} aria-label={name}>
    <td>{name}</td>
  </tr>
);

test('keys skip the head of a grouped list and the button for more rows', () => {
  render(
    <table onKeyDown={(event) => handleRowKeys(event, actions)}>
      <thead>
        <tr>
          <th>Name</th>
        </tr>
      </thead>
      <tbody>
        {row('group 1')}
        {row('machine')}
        <tr>
          <td>
            <button type="button">more</button>
          </td>
        </tr>
      </tbody>
      <tbody>{row('group 2')}</tbody>
    </table>,
  );
  const focusAfter = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(document.activeElement as Element, { key });
    return document.activeElement?.getAttribute('aria-label');
  };
  screen.getByRole('row', { name: 'machine' }).focus();
  expect(focusAfter('ArrowDown')).toBe('group 2');
  expect(focusAfter('ArrowUp')).toBe('machine');
  expect(focusAfter('Home')).toBe('group 1');
  expect(focusAfter('ArrowUp')).toBe('group 1');
  expect(focusAfter('End')).toBe('group 2');
  screen.getByRole('button').focus();
  expect(focusAfter('ArrowUp')).toBe('machine');
});

/** Order of the cards of own machines. */
import { expect, test } from 'vitest';
import { sortByTrouble } from '../../src/pages/dashboard/useOwnMachines';

test('machines that are offline or have a problem come first, each part by serial number', () => {
  const machine = (serial_number: string, status: string, problem?: object) => ({ serial_number, status, problem });
  const sortedMachines = sortByTrouble([
    machine('A', 'Cleaning'),
    machine('B', 'Offline'),
    machine('C', 'Parked'),
    machine('D', 'Charging', { summary: 'leak' }),
  ]);
  expect(sortedMachines.map(({ serial_number }) => serial_number)).toEqual(['B', 'D', 'A', 'C']);
});

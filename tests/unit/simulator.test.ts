import { expect, test } from 'vitest';
import { notMissing } from '../../demo/simulator/fleet';

const minute = 60_000;
/** Heard of so many minutes before the server went to sleep; `undefined`: never. */
const machine = (name: string, ago: number | undefined, offline = true) => ({
  name,
  offline,
  lastHeard: ago === undefined ? undefined : Date.UTC(2026, 9, 20) - ago * minute,
});
const names = (machines: readonly { name: string }[]) => machines.map(({ name }) => name);

test('a start of the server wakes machines that stopped with it, not those missing before', () => {
  const all = [
    machine('lively', 0),
    machine('slow', 8),
    machine('missed', 70),
    machine('long missed', 4000),
    machine('new', undefined),
  ];
  expect(names(notMissing(all))).toEqual(['lively', 'slow', 'new']);
});

test('a machine that reports is simulated, however rarely it does', () => {
  expect(names(notMissing([machine('lively', 0, false), machine('patient', 60, false)]))).toEqual([
    'lively',
    'patient',
  ]);
});

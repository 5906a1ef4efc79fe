import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { RowSpool } from '../../server/db/driver/rowSpool';

const textRow = (index: number) => ({ id: index, text: `row ${index} 'é' ${'x'.repeat(index)}`, tags: ['a', null] });
const buildBatches = (count: number) =>
  Array.from({ length: count }, (_, index) => [textRow(3 * index), textRow(3 * index + 1), textRow(3 * index + 2)]);

async function collect<T>(spool: RowSpool<T>): Promise<T[][]> {
  const batches: T[][] = [];
  for await (const batch of spool.take()) batches.push(batch);
  return batches;
}

test.each([
  ['in memory', 1e6],
  ['partly in a file', 2000],
  ['in a file', 0],
])('yields what was added, in order, with batches %s', async (_, limit) => {
  const spool = new RowSpool<unknown>(limit);
  for (const batch of buildBatches(40)) spool.add(batch);
  expect(await collect(spool)).toEqual(buildBatches(40));
  expect(await collect(spool)).toEqual([]);
  spool.close();
});

test('bytes and numbers are read back from the file unchanged', async () => {
  const spool = new RowSpool<unknown>(0);
  const rows = [{ piece: Buffer.from('a,ü\r\n'), rows: 1, area: 1.5, place: null }];
  spool.add(rows);
  const [batch] = await collect(spool);
  expect(batch).toEqual(rows);
  expect(Buffer.isBuffer((batch as typeof rows)[0]?.piece)).toBe(true);
  spool.close();
});

test('a small batch stays in memory after a large one went to the file, and the order stays', async () => {
  const spool = new RowSpool<unknown>(1000);
  const batches = [[textRow(1)], [textRow(5000)], [textRow(2)]];
  for (const batch of batches) spool.add(batch);
  expect(await collect(spool)).toEqual(batches);
  spool.close();
});

test('leaves no file behind, not even while it is open', () => {
  const filesNow = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`sweepline-rows-${process.pid}-`));
  const spool = new RowSpool<unknown>(0);
  spool.add([textRow(1)]);
  expect(filesNow()).toEqual([]);
  spool.close();
});

test('many spools together keep a limited number of bytes in memory, and closed ones release theirs', async () => {
  const megabyte = { piece: Buffer.alloc(2 ** 20) };
  for (let round = 0; round < 2; round += 1) {
    const spools = Array.from({ length: 12 }, () => new RowSpool<typeof megabyte>());
    for (const spool of spools) for (let index = 0; index < 10; index += 1) spool.add([megabyte]);
    const batches = (await Promise.all(spools.map((spool) => collect(spool)))).flat();
    expect(batches).toHaveLength(120);
    // A batch from a file is a copy.
    const inMemory = batches.filter(([row]) => row === megabyte).length;
    expect(inMemory).toBeGreaterThan(50);
    expect(inMemory).toBeLessThanOrEqual(64);
    for (const spool of spools) spool.close();
  }
});

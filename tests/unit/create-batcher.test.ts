/** `createBatcher`: concurrent calls are batched. */
import { expect, test } from 'vitest';
import { createBatcher } from '../../server/shared/createBatcher';

test('sends the first call alone and later ones together, and returns each its own result', async () => {
  const batches: number[][] = [];
  const doubleInBatches = createBatcher(async (inputs: readonly number[]) => {
    batches.push([...inputs]);
    await Promise.resolve();
    return inputs.map((input) => input * 2);
  });
  expect(await Promise.all([1, 2, 3].map(doubleInBatches))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
  expect(await doubleInBatches(4)).toBe(8);
});

test('a failure rejects every call of its batch and none after it', async () => {
  let isAway = true;
  const lookUp = createBatcher(async (inputs: readonly string[]) => {
    if (isAway) throw new Error('away');
    return inputs;
  });
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(lookUp));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isAway = false;
  expect(await lookUp('d')).toBe('d');
});

/** Number of cases for a property test that uses a database; `SWEEPLINE_TEST_RUNS` overrides it. */
export const runs = (count: number): number => Number(process.env.SWEEPLINE_TEST_RUNS ?? count);

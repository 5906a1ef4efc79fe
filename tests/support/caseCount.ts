/** Number of cases for a property test that uses a database; `SWEEPLINE_TEST_RUNS` overrides it. */
export const caseCount = (count: number): number => Number(process.env.SWEEPLINE_TEST_RUNS ?? count);

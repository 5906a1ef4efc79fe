/** Runs of a property that is checked against a database: `SWEEPLINE_TEST_RUNS` raises their number. */
export const runs = (count: number): number => Number(process.env.SWEEPLINE_TEST_RUNS ?? count);

/** Steps between axis marks, to be multiplied by a power of ten. */
const steps = [1, 2, 2.5, 5, 10];
const maxSteps = 5;

/** Axis marks in round whole numbers, from zero to at least `max`: 0, 50,000, 100,000 rather than 0, 65,000. */
export function niceMarks(max: number): number[] {
  const minStep = Math.max(max, 1) / maxSteps;
  const power = 10 ** Math.floor(Math.log10(minStep));
  const step =
    steps.map((factor) => factor * power).find((candidate) => candidate >= minStep && Number.isInteger(candidate)) ?? 1;
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}

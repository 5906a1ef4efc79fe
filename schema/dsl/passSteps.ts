/** Steps of a heat map: passes of a place from which on each begins. The last one has no end. */
export const passSteps = [1, 2, 3, 5, 10] as const;

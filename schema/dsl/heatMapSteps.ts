/** Steps of a heat map, by their smallest number of passes. The last step has no upper limit. */
export const heatMapSteps = [1, 2, 3, 5, 10] as const;

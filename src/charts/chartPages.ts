/**
 * Every chart with the page that shows it; `{machines}` and `{runs}` stand for ids. Walls are left out: they have no
 * controls. Read by the tests; pages take its type alone.
 */
export const chartPages = {
  area_and_plan: '/',
  runs: '/',
  sites_today: '/',
  trends: '/',
  compared_trends: '/',
  fleet_timeline: '/machines?view=timeline',
  timeline: '/machines/{machines}',
  states: '/machines/{machines}/statistics',
  modes: '/machines/{machines}/statistics',
  area: '/machines/{machines}/statistics',
  battery: '/machines/{machines}/statistics',
  run_states: '/runs/{runs}',
} as const;

export type ChartName = keyof typeof chartPages;

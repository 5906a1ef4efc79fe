/**
 * Every chart and the page that shows it; `{machines}` and `{runs}` stand for ids. Excludes walls, which have no
 * controls. The tests read the value; pages import only its type.
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

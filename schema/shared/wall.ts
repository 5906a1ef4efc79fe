/** Walls: screens that show the fleet in turn, for weeks and without controls. */

/** Permissions of a wall token, as far as its owner has them: no list of rows, no account, no write. */
export const wallPermissions = [
  'machines.list',
  'locations.list',
  'locations.show',
  'clients.show',
  'alerts.list',
  'types.list',
] as const;

/** Days after its last use at which a wall token ends. */
export const wallDays = 30;

/** Maximum walls per user. */
export const maxWalls = 20;

/** Views that a wall shows in turn. */
export const wallViews = ['now', 'work', 'map', 'timeline'] as const;
export type WallView = (typeof wallViews)[number];

/** Seconds for which a view stays. */
export const wallSeconds = ['15', '30', '60', '300'] as const;

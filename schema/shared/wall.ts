/** Walls: screens that show views of the fleet in turn, for weeks and without controls. */

/**
 * Maximum permissions of a wall token, which lacks the ones that its owner lacks. Since the token opens only the calls
 * with `wall: true`, it reads neither lists of rows nor the owner's account, and writes nothing.
 */
export const wallPermissions = [
  'machines.list',
  'locations.list',
  'locations.show',
  'clients.show',
  'alerts.list',
  'types.list',
] as const;

/** A wall token expires this many days after its last use. */
export const wallDays = 30;

/** Maximum number of walls per user. */
export const maxWalls = 20;

/** Views that a wall shows in turn. */
export const wallViews = ['now', 'work', 'map', 'timeline'] as const;
export type WallView = (typeof wallViews)[number];

/** Choices for the seconds that a view is shown. */
export const wallSeconds = ['15', '30', '60', '300'] as const;

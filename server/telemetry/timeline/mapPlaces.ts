/** Where messages hold a position on a map of the robot: our own batch, VDA 5050 version 2 and version 3. */
export const mapPlaces = [
  { of: 'floor', map: 'map_id' },
  { of: 'agvPosition', map: 'mapId' },
  { of: 'mobileRobotPosition', map: 'mapId' },
] as const;

export const hasMapPlace = (attributes: object | null): boolean =>
  attributes !== null && mapPlaces.some(({ of }) => Object.hasOwn(attributes, `${of}.x`));

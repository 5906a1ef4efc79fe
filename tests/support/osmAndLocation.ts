/** The location of a message in JSON, as the OsmAnd protocol's clients for phones send it. */
export const osmAndLocation = {
  timestamp: '2026-06-15T13:45:12.862Z',
  coords: { latitude: 37.4219983, longitude: -122.084, accuracy: 5, speed: 0, heading: -1, altitude: 5 },
  is_moving: false,
  odometer: 12,
  event: 'motionchange',
  battery: { level: 0.79, is_charging: false },
  activity: { type: 'still' },
  extras: {},
};

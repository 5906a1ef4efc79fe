/** The three floors of the demo: a supermarket, a wing of a hospital, a logistics hall. */
import type { DemoFloor, DemoShape, DemoZone } from './floorShapes';

const range = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index));
const letter = (index: number) => String.fromCharCode(65 + index);

/** Goods of the aisles between the shelves, which stand every eight metres and are two metres wide. */
const goods = [
  'Bakery',
  'Dairy',
  'Drinks',
  'Pasta and rice',
  'Snacks',
  'Frozen food',
  'Household',
  'Cosmetics',
  'Toys',
  'Garden',
];
const aisleOfGoods = (name: string, index: number): DemoZone => ({
  ...{ name, kind: 'clean', lanes: 'y', every_days: 2 },
  at: [index * 8 + 2, 15, index === goods.length - 1 ? 82 : index * 8 + 8, 39],
});

const market: DemoFloor = {
  name: 'Sales floor',
  level: 0,
  mapId: 'market-ground',
  // The origin of the robots' map is their dock, and its x axis points up.
  transformation: { x: 80, y: 6, rotation: 90, scale: 1, mirrored: false },
  sites: /einkauf|köpcentrum|galeria|commerc/i,
  width: 84,
  height: 54,
  shapes: [
    ...range(9, (index): DemoShape => ({ kind: 'shelf', at: [index * 8 + 8, 16, index * 8 + 10, 38] })),
    ...range(8, (index): DemoShape => ({ kind: 'shelf', at: [index * 7 + 12, 6.5, index * 7 + 13.4, 10] })),
    { kind: 'room', at: [62, 44, 82, 52], label: 'COLD STORE' },
    { kind: 'shelf', at: [4, 46, 22, 47.6] },
    { kind: 'shelf', at: [28, 46, 46, 47.6] },
  ],
  zones: [
    { name: 'Entrance', kind: 'clean', at: [12, 2, 76, 6], every_days: 1 },
    { name: 'Front aisle', kind: 'clean', at: [2, 11, 82, 15], every_days: 1 },
    ...goods.map(aisleOfGoods).reverse(),
    { name: 'Back aisle', kind: 'clean', at: [2, 39, 82, 43], every_days: 2 },
    { name: 'Fresh food', kind: 'clean', at: [2, 48.5, 60, 52], every_days: 1 },
    { name: 'Cold store', kind: 'no_go', at: [62, 44, 82, 52] },
    { name: 'Dock', kind: 'dock', at: [79, 5, 82, 8] },
  ],
  task: 'Sales floor before opening',
  robots: ['batch', 'gausium'],
};

const room = (kind: string, number: number, at: DemoShape['at']): DemoShape => ({
  kind: 'room',
  at,
  label: `${kind} ${number}`,
});

const ward: DemoFloor = {
  name: 'Ward 2, east wing',
  level: 2,
  mapId: 'ward-2-east',
  // In millimetres, with the y axis pointing down.
  transformation: { x: 0, y: 40, rotation: 0, scale: 0.001, mirrored: true },
  sites: /klinik|sjukhus|szpital|hôpital|ospedale/i,
  width: 96,
  height: 40,
  shapes: [
    ...range(5, (index) => room('ROOM', 201 + index, [index * 8 + 6, 22.6, index * 8 + 14, 32.4])),
    ...range(5, (index) => room('ROOM', 206 + index, [index * 8 + 50, 22.6, index * 8 + 58, 32.4])),
    ...range(4, (index) => room('EXAM', 1 + index, [index * 9.5 + 2, 2, index * 9.5 + 11.5, 17.4])),
    { kind: 'room', at: [72, 2, 94, 17.4], label: 'KITCHEN' },
    { kind: 'shelf', at: [45, 7, 51, 9], label: 'DESK' },
  ],
  zones: [
    { name: 'Lobby', kind: 'clean', at: [40, 11.5, 56, 18], every_days: 1 },
    { name: 'Waiting area', kind: 'clean', at: [56, 2, 72, 18], lanes: 'y', every_days: 1 },
    { name: 'Main corridor', kind: 'clean', at: [2, 18, 94, 22], every_days: 1 },
    { name: 'East link', kind: 'clean', at: [90, 22, 94, 33], every_days: 1 },
    { name: 'North corridor', kind: 'clean', at: [2, 33, 94, 36], every_days: 1 },
    { name: 'Centre link', kind: 'clean', at: [46, 22, 50, 33], every_days: 1 },
    { name: 'West link', kind: 'clean', at: [2, 22, 6, 33], every_days: 1 },
    { name: 'Kitchen', kind: 'no_go', at: [72, 2, 94, 17.4] },
    { name: 'Dock', kind: 'dock', at: [40, 2, 43, 5] },
  ],
  task: 'Corridors at night',
  robots: ['derived', 'pudu'],
};

const hall: DemoFloor = {
  name: 'Hall 1',
  level: 0,
  mapId: 'hall-1',
  transformation: { x: 2, y: 2, rotation: 0, scale: 1, mirrored: false },
  sites: /logist|lager|werk|hala/i,
  width: 100,
  height: 60,
  shapes: [
    ...range(7, (index): DemoShape => ({ kind: 'shelf', at: [index * 12 + 10, 26, index * 12 + 14, 52] })),
    ...range(8, (index): DemoShape => ({ kind: 'shelf', at: [index * 12 + 4, 0, index * 12 + 9, 1.6] })),
    { kind: 'room', at: [86, 15, 98, 23], label: 'OFFICE' },
  ],
  zones: [
    { name: 'Loading dock', kind: 'clean', at: [2, 2, 98, 14], every_days: 1 },
    { name: 'Staging', kind: 'clean', at: [2, 15, 84, 23], every_days: 1 },
    ...range(
      8,
      (index): DemoZone => ({
        ...{ name: `Aisle ${letter(index)}`, kind: 'clean', lanes: 'y', every_days: 2 },
        at: [index * 12 + 2, 25, index === 7 ? 98 : index * 12 + 10, 53],
      }),
    ),
    { name: 'Cross aisle', kind: 'clean', at: [2, 54, 98, 58], every_days: 3 },
    { name: 'Office', kind: 'no_go', at: [86, 15, 98, 23] },
    { name: 'Dock', kind: 'dock', at: [82, 14.1, 85, 15.3] },
  ],
  task: 'Hall, all aisles',
  robots: ['batch', 'vda'],
  failsOften: true,
};

export const demoFloors: readonly DemoFloor[] = [market, ward, hall];

/** Returns the demo floor that has this map. */
export const floorOfMap = (mapId: string): DemoFloor | undefined => demoFloors.find((floor) => floor.mapId === mapId);

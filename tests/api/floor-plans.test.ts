/** Floor plans: accepted and rejected files, and who can see them. */
import { constants, deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../server/app/sweep';
import { planLimits } from '../../server/features/floors/planLimits';
import { preparePlan } from '../../server/features/floors/preparePlan';
import { printPdf } from '../support/printPdf';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let floor: number;
interface ResponseBody {
  data: { media_type: string; width: number; height: number; size: number; pages: number | null; zones: number };
  errors?: Record<string, string[]>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  floor = world.north.floors[0] as number;
});
afterAll(() => app.close());

const upload = (content: Uint8Array | string, caller = world.admin, id = floor, page?: string) =>
  uploadFile<ResponseBody>(app, caller, `floors/${id}/plan`, {
    name: 'plan',
    content,
    fields: page === undefined ? {} : { page },
  });
const readPlan = (caller = world.admin, id = floor) => app.call(caller, 'GET', `floors/${id}/plan`);
const createPicture = (format: 'png' | 'jpeg' | 'webp', width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#0b7a75' } })
    [format]()
    .toBuffer();
const svg = (content: string, head = '') =>
  `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100">${content}</svg>`;

describe('a plan', () => {
  test.each([
    'png',
    'jpeg',
  ] as const)('in %s is re-encoded and served to all users who see the floor', async (format) => {
    const { status, body } = await upload(await createPicture(format), world.north.users.site_manager);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ media_type: `image/${format}`, width: 60, height: 40 });
    const planResponse = await readPlan(world.north.users.operator);
    expect(planResponse.headers['content-type']).toBe(`image/${format}`);
    expect(planResponse.headers['cache-control']).toContain('no-store');
    expect(planResponse.bytes).toHaveLength(body.data.size);
    expect(await sharp(planResponse.bytes).metadata()).toMatchObject({ width: 60, height: 40 });
  });

  test('in SVG is rasterized', async () => {
    const doctype =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    const marks =
      '<defs><path id="d" d="M0 0h10v10z"/></defs><use xlink:href="#d"/><rect fill="url( #d )" width="200" height="50"/>';
    const { status, body } = await upload(svg(marks, doctype));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ media_type: 'image/png', width: 4000, height: 2000 });
    expect((await readPlan()).bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  test('is scaled down to the size that a page can show', async () => {
    const { body } = await upload(await createPicture('png', 6000, 3000));
    expect(body.data).toMatchObject({ width: 4000, height: 2000 });
  });

  test('is audited, is not deleted as an unused file, and can be removed', async () => {
    const readFloor = async () =>
      (await app.call<{ data: { version: number; plan: string | null } }>(world.admin, 'GET', `floors/${floor}`)).body
        .data;
    const floorBefore = await readFloor();
    await upload(await createPicture('png', 30, 20));
    const floorAfter = await readFloor();
    expect(floorAfter.version).toBeGreaterThan(floorBefore.version);
    expect(floorAfter.plan).toBe('30 × 20 px');
    const history = await app.call<{ data: unknown[] }>(
      world.admin,
      'GET',
      `audit?filter[entity]=floors&filter[record_id]=${floor}&sort=-id&per_page=1`,
    );
    expect(JSON.stringify(history.body.data)).toContain('30 × 20 px');
    await sweep(app.services);
    expect((await readPlan()).status).toBe(200);
    expect((await app.call(world.north.users.customer_admin, 'DELETE', `floors/${floor}/plan`)).status).toBe(204);
    expect((await readPlan()).status).toBe(404);
    expect((await readFloor()).plan).toBeNull();
  });

  test.each<[string, () => Promise<Uint8Array | string> | string, RegExp]>([
    ['another format', () => createPicture('webp'), /PNG, JPEG or SVG/],
    ['text', () => 'a plan', /PNG, JPEG or SVG/],
    ['a PDF without pages', () => '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj', /damaged/],
    ['a truncated PDF', async () => printPdf([{ content: '' }]).subarray(0, 90), /damaged/],
    ['a page without height', async () => printPdf([{ content: '', box: [0, 0, 100_000, 0.1] }]), /damaged/],
    ['a file that is not a robot map', () => '{"hello":"world"}', /map cannot be read/],
    ['a damaged picture', async () => (await createPicture('png')).subarray(0, 60), /damaged/],
    ['a script', () => svg('<script>alert(1)</script>'), /script/],
    [
      'a script with a namespace prefix',
      () => svg('<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>'),
      /script/,
    ],
    ['an event handler', () => svg('<rect onload="alert(1)"/>'), /script/],
    ['embedded HTML', () => svg('<foreignObject><b/></foreignObject>'), /script/],
    ['entities that expand', () => svg('&b;', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'), /script/],
    ['a reference to another server', () => svg('<use xlink:href="http://example.com/a.svg#d"/>'), /other files/],
    ['an image from a file', () => svg('<image href="file:///etc/passwd"/>'), /other files/],
    ['an external style sheet', () => svg('<style>@import "http://example.com/a.css";</style>'), /other files/],
    ['an external pattern', () => svg('<rect fill="url(http://example.com/a#b)"/>'), /other files/],
    ['too many copies', () => svg(`<defs><g id="g"/></defs>${'<use href="#g"/>'.repeat(2001)}`), /too much/],
  ])('is rejected with a clear message: %s', async (_, bytes, message) => {
    await upload(await createPicture('png'));
    const bytesBefore = (await readPlan()).bytes;
    const { status, body } = await upload(await bytes());
    expect(status).toBe(422);
    expect(body.errors?.file?.[0]).toMatch(message);
    expect((await readPlan()).bytes.equals(bytesBefore)).toBe(true);
  });

  test('of 30,000 by 30,000 pixels is rejected by its header, before it is decoded', async () => {
    const bomb = Buffer.from(await createPicture('png'));
    // Sets width and height in the header, and its checksum.
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    const { crc32 } = await import('node:zlib');
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const { status, body } = await upload(bomb);
    expect(status).toBe(422);
    expect(body.errors?.file?.[0]).toMatch(/30,000 × 30,000/);
  });

  test('of more than 20 MB is rejected', async () => {
    expect((await upload(Buffer.alloc(20 * 1024 * 1024 + 2))).status).toBe(413);
  });

  test('is hidden from other clients, and cannot be changed by users who may not edit', async () => {
    const bytes = await createPicture('png');
    expect((await upload(bytes, world.south.users.customer_admin)).status).toBe(404);
    expect((await upload(bytes, world.north.users.operator)).status).toBe(403);
    expect((await readPlan(world.south.users.customer_admin)).status).toBe(404);
  });
});

describe('PDF page', () => {
  const redPage = { content: '1 0 0 rg 0 0 100 100 re f' };
  const bluePage = { content: '0 0 1 rg 0 0 100 200 re f', box: [0, 0, 100, 200] };
  const readPixel = async (x: number) => {
    const { data, info } = await sharp((await readPlan()).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data.subarray(x * info.channels, x * info.channels + 3)];
  };

  test('is drawn at the size at which it is stored; by default the first page', async () => {
    const { status, body } = await upload(printPdf([redPage, bluePage]));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ media_type: 'image/png', width: 4000, height: 2000, pages: 2, zones: 0 });
    expect([await readPixel(100), await readPixel(3900)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ]);
    expect((await upload(printPdf([redPage, bluePage]), world.admin, floor, '2')).body.data).toMatchObject({
      width: 2000,
      height: 4000,
    });
    expect(await readPixel(100)).toEqual([0, 0, 255]);
  });

  test.each<[string, RegExp]>([
    ['3', /no page 3: its pages are 1 to 2/],
    ['0', /./],
    ['one', /./],
  ])('%s is rejected if the file has no such page', async (page, message) => {
    const { status, body } = await upload(printPdf([redPage, bluePage]), world.admin, floor, page);
    expect(status).toBe(422);
    expect((body.errors?.file ?? body.errors?.page)?.[0]).toMatch(message);
  });

  /** Ten levels of forms, each drawing the next one ten times: 10,000,000,000 rectangles. */
  const nestedPdf = () => {
    const form = (index: number) => ({
      entries: `/Type /XObject /Subtype /Form /BBox [0 0 200 100]
        /Resources << /XObject << /F ${101 + index} 0 R >> >>`,
      stream: index === 9 ? '0 0 9 9 re f '.repeat(10) : '/F Do '.repeat(10),
    });
    const forms = Array.from({ length: 10 }, (_, index) => form(index));
    return printPdf([{ content: '/F Do', resources: '/XObject << /F 100 0 R >>' }], forms);
  };
  /** Two gigabytes of drawing commands, compressed to two megabytes. */
  const hugePdf = () => {
    const compressedBlock = deflateRawSync(Buffer.alloc(16_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
    const zlibHeader = Buffer.from('789c', 'hex');
    const stream = Buffer.concat([zlibHeader, ...Array<Buffer>(128).fill(compressedBlock), Buffer.from('0300', 'hex')]);
    const form = { entries: '/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Filter /FlateDecode', stream };
    return printPdf([{ content: '/F Do', resources: '/XObject << /F 100 0 R >>' }], [form]);
  };

  test('that takes too long to draw is aborted; meanwhile other requests are served', async () => {
    let responses = 0;
    let isDone = false;
    const drawing = preparePlan({ kind: 'pdf', bytes: nestedPdf(), page: 1 }, 4).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await app.call(world.admin, 'GET', `floors/${floor}`);
      responses += 1;
    }
    expect(await drawing).toEqual({ problem: { text: 'plan_pdf' } });
    // A blocked server would not have answered any of these.
    expect(responses).toBeGreaterThan(3);
  });

  test('that exceeds the memory limit is rejected', async () => {
    const { status, body } = await upload(hugePdf());
    expect(status).toBe(422);
    expect(body.errors?.file?.[0]).toMatch(/too much time or memory/);
  });
});

test.each<[string, string]>([
  ['comments', '<!--'],
  ['addresses', ' url('],
  ['document types', '<!DOCTYPE '],
  ['references', ' href="'],
])('an SVG that consists of unterminated %s is rejected quickly', async (_, text) => {
  const { status } = await upload(svg(text.repeat(Math.floor(planLimits.svg / 2 / text.length))));
  expect(status).toBe(422);
});

describe('vendor map of a robot', () => {
  const sample = {
    __class: 'ValetudoMap',
    metaData: { vendorMapId: 7 },
    size: { x: 1000, y: 1000 },
    pixelSize: 5,
    layers: [
      { type: 'segment', metaData: { name: 'Hall' }, compressedPixels: [100, 50, 40, 100, 51, 40] },
      { type: 'segment', metaData: { segmentId: '4' }, compressedPixels: [100, 60, 20] },
      { type: 'segment', metaData: { segmentId: '4' }, compressedPixels: [130, 60, 20] },
      { type: 'wall', compressedPixels: [99, 49, 42] },
    ],
  };

  test('is imported exactly once, as plan, scale, linked map and zones', async () => {
    const ownFloor = await add(app.db, 'floors', {
      location_id: world.north.locations[0],
      maps: [{ map_id: '7' }, { map_id: 'other' }] as never,
    });
    const caller = world.north.users.site_manager;
    const { status, body } = await upload(JSON.stringify(sample), caller, ownFloor);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ media_type: 'image/png', pages: null, zones: 3 });
    const floorResponse = await app.call<{ data: object }>(caller, 'GET', `floors/${ownFloor}`);
    expect(floorResponse.body.data).toMatchObject({
      width_m: 2.95,
      height_m: 1,
      plan: `${body.data.width} × ${body.data.height} px`,
      maps: [{ map_id: 'other' }, { map_id: '7', transformation: { scale: 0.01, mirrored: true, x: -4.75, y: 3.25 } }],
    });
    const readZones = async () =>
      (
        await app.call<{ data: { name: string; area_m2: number; kind: string }[] }>(
          caller,
          'GET',
          `zones?filter[floor_id]=${ownFloor}&sort=name`,
        )
      ).body.data.map(({ name, area_m2, kind }) => [name, Number(area_m2.toFixed(6)), kind]);
    const expected = [
      ['Hall', 0.2, 'clean'],
      ['Segment 4', 0.05, 'clean'],
      ['Segment 4 (2)', 0.05, 'clean'],
    ];
    expect(await readZones()).toEqual(expected);
    expect((await upload(JSON.stringify(sample), caller, ownFloor)).body.data.zones).toBe(0);
    expect(await readZones()).toEqual(expected);
    const history = await app.call<{ data: unknown[] }>(
      world.admin,
      'GET',
      `audit?filter[entity]=zones&sort=-id&per_page=3`,
    );
    expect(JSON.stringify(history.body.data)).toContain('Hall');
  });
});

/** Two users edit the zones of a floor concurrently: neither overwrites the other unknowingly, and nothing is lost. */
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { changeZone, type ZoneRow } from '../../src/map/plan/zoneDrafts';
import { saveZones, ZoneConflict } from '../../src/resources/floors/saveZones';
import { useZoneDrafts } from '../../src/resources/floors/useZoneDrafts';

afterEach(() => vi.unstubAllGlobals());

const zone = (id: number, name: string): ZoneRow => ({
  id,
  version: 1,
  name,
  kind: 'clean',
  every_days: null,
  polygon: [
    [id, 0],
    [id + 1, 0],
    [id, 1],
  ],
});

/** The zones of a floor on a server that follows the rules of the API. */
function serveZones(...rows: ZoneRow[]) {
  const zones = new Map(rows.map((row) => [row.id, row]));
  const response = (status: number, body: object = {}) =>
    new Response(status === 204 ? null : JSON.stringify(body), { status });
  vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit) => {
    const patch = body ? (JSON.parse(String(body)) as Partial<ZoneRow>) : {};
    if (method === 'POST') {
      const id = Math.max(0, ...zones.keys()) + 1;
      zones.set(id, { ...zone(id, ''), ...patch });
      return response(201, { data: zones.get(id) });
    }
    const id = Number(url.split('/').at(-1));
    const current = zones.get(id);
    if (!current) return response(404, { message: 'Not found.' });
    if (new Headers(headers).get('If-Match') !== `"${current.version}"`)
      return response(412, { message: 'Somebody changed this in the meantime.', current });
    if (method === 'DELETE') zones.delete(id);
    else zones.set(id, { ...current, ...patch, version: current.version + 1 });
    return response(method === 'DELETE' ? 204 : 200);
  });
  return {
    rows: () => [...zones.values()],
    names: () => [...zones.values()].map(({ name }) => name),
    change: (id: number, values: Partial<ZoneRow>) => {
      const current = zones.get(id) ?? zone(id, '');
      zones.set(id, { ...current, ...values, version: current.version + 1 });
    },
    remove: (id: number) => zones.delete(id),
  };
}

/** An editor as on the page; `follow` passes the zones that others have stored. */
function openEditor(server: ReturnType<typeof serveZones>) {
  const { result, rerender } = renderHook((rows) => useZoneDrafts(rows), { initialProps: server.rows() });
  const editor = () => result.current;
  return {
    editor,
    names: () => editor().drafts.zones.map(({ name }) => name),
    follow: () => rerender(server.rows()),
    rename: (id: number, name: string) =>
      act(() => editor().change({ zones: changeZone(editor().drafts.zones, `zone-${id}`, { name }) })),
    remove: (id: number) =>
      act(() => editor().change({ zones: editor().drafts.zones.filter((draft) => draft.id !== id) })),
    /** Returns the conflict, if any. */
    save: () =>
      act(async () => {
        try {
          await saveZones(1, editor().changes, editor().recordStored);
          editor().reset();
        } catch (error) {
          if (!(error instanceof ZoneConflict)) throw error;
          editor().acceptConflict(error);
          return error.message;
        } finally {
          rerender(server.rows());
        }
        return undefined;
      }),
  };
}

test('zones that the other user changed, added or deleted stay so if they were not edited here', async () => {
  const server = serveZones(zone(1, 'Hall'), zone(2, 'Shop'), zone(3, 'Yard'));
  const page = openEditor(server);
  page.rename(1, 'Great hall');
  server.change(2, { name: 'Store' });
  server.change(4, { name: 'New' });
  server.remove(3);
  page.follow();
  expect(page.names()).toEqual(['Great hall', 'Store', 'New']);
  expect(await page.save()).toBeUndefined();
  expect(server.names()).toEqual(['Great hall', 'Store', 'New']);
  expect(page.editor().isDirty).toBe(false);
});

test.each([
  false,
  true,
])('a zone that both users edited is rejected once, then overwritten (seen before: %s)', async (isSeen) => {
  const server = serveZones(zone(1, 'Hall'));
  const page = openEditor(server);
  page.rename(1, 'Mine');
  server.change(1, { name: 'Theirs', every_days: 7 });
  if (isSeen) page.follow();
  expect(await page.save()).toBe('floors.zone_changed');
  expect(server.names()).toEqual(['Theirs']);
  expect(page.names()).toEqual(['Mine']);
  expect(await page.save()).toBeUndefined();
  expect(server.names()).toEqual(['Mine']);
});

test('after a conflict the edit can be discarded', async () => {
  const server = serveZones(zone(1, 'Hall'));
  const page = openEditor(server);
  page.rename(1, 'Mine');
  server.change(1, { name: 'Theirs' });
  await page.save();
  act(() => page.editor().reset());
  expect(page.names()).toEqual(['Theirs']);
  expect(page.editor().isDirty).toBe(false);
});

test('a zone that the other user deleted is created again by the second save', async () => {
  const server = serveZones(zone(1, 'Hall'), zone(2, 'Shop'));
  const page = openEditor(server);
  page.rename(1, 'Mine');
  server.remove(1);
  expect(await page.save()).toBe('floors.zone_deleted');
  expect(page.names()).toEqual(['Mine', 'Shop']);
  expect(await page.save()).toBeUndefined();
  expect(server.names().sort()).toEqual(['Mine', 'Shop']);
});

test('a zone that the other user changed is deleted only by the second save', async () => {
  const server = serveZones(zone(1, 'Hall'));
  const page = openEditor(server);
  page.remove(1);
  server.change(1, { name: 'Theirs' });
  expect(await page.save()).toBe('floors.zone_changed');
  expect(server.names()).toEqual(['Theirs']);
  expect(await page.save()).toBeUndefined();
  expect(server.names()).toEqual([]);
});

test('zones stored before a conflict are not stored again, and undo does not delete what others added', async () => {
  const server = serveZones(zone(1, 'Hall'), zone(2, 'Shop'));
  const page = openEditor(server);
  page.rename(1, 'Great hall');
  page.rename(2, 'Mine');
  server.change(2, { name: 'Theirs' });
  expect(await page.save()).toBe('floors.zone_changed');
  expect(page.editor().changes.changed.map(({ id }) => id)).toEqual([2]);
  page.rename(2, 'Mine 2');
  server.change(5, { name: 'New' });
  page.follow();
  act(() => page.editor().undo());
  expect(page.names()).toEqual(['Great hall', 'Mine', 'New']);
  expect(page.editor().changes.deleted).toEqual([]);
});

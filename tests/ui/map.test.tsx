/** Maps: marks of machines, gestures, replay. Leaflet draws with SVG here, since jsdom has no canvas. */
import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { type Map as LeafletMap, svg } from 'leaflet';
import { AdminContext, memoryStore, TestMemoryRouter, testDataProvider } from 'react-admin';
import { MapContainer } from 'react-leaflet';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../src/app/queryClient';
import { BaseMap } from '../../src/map/BaseMap';
import { CanvasMark } from '../../src/map/CanvasMark';
import { MachineMarks } from '../../src/map/MachineMarks';
import { MachinePopup } from '../../src/map/MachinePopup';
import type { MapPoint } from '../../src/map/mapContent';
import { InterruptionMark } from '../../src/map/plan/InterruptionMark';
import { PlanPicture } from '../../src/map/plan/PlanPicture';
import { useMapColors } from '../../src/map/useMapColors';
import { useReplay } from '../../src/map/useReplay';

vi.mock('../../src/map/loadLand', () => ({ loadLand: () => new Promise(() => {}) }));

configure({ asyncUtilTimeout: 20_000 });
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const renderColors = () => {
  vi.stubGlobal('matchMedia', () => new EventTarget());
  return renderHook(useMapColors).result.current;
};

const machine: MapPoint = {
  id: 7,
  serial_number: 'SC-7',
  status: 'Cleaning',
  latitude: 48,
  longitude: 11,
  battery: 80,
  fleet_color: null,
};

test('a machine that has moved and was renamed opens at its new position and bears its new name', () => {
  const colors = renderColors();
  const onMachine = vi.fn();
  let map: LeafletMap | null = null;
  const element = (point: MapPoint) => (
    <MapContainer
      ref={(created: LeafletMap | null) => {
        map = created;
      }}
      center={[48, 11]}
      zoom={10}
      renderer={svg()}
    >
      <MachineMarks
        result={{ clusters: [], points: [point], total: 1 }}
        colors={colors}
        highlightedId={undefined}
        onMachine={onMachine}
        onCluster={() => undefined}
      />
    </MapContainer>
  );
  const { rerender } = render(element(machine));
  rerender(element({ ...machine, latitude: 48.1, serial_number: 'renamed' }));
  const marks: CanvasMark[] = [];
  act(() => (map as LeafletMap | null)?.eachLayer((layer) => void (layer instanceof CanvasMark && marks.push(layer))));
  expect(marks).toHaveLength(1);
  act(() => void marks[0]?.fire('click'));
  expect(onMachine).toHaveBeenCalledWith(expect.objectContaining({ id: 7, latitude: 48.1 }));
  const label = marks[0]?.getTooltip()?.getContent();
  expect(label instanceof HTMLElement && label.textContent).toBe('renamed');
});

test('no gesture moves a still map', () => {
  const colors = renderColors();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  let map: LeafletMap | undefined;
  render(
    <AdminContext store={memoryStore()} queryClient={createQueryClient(() => {})}>
      <BaseMap
        ref={(created) => {
          map ??= created ?? undefined;
        }}
        label="map"
        colors={colors}
        isStill
      />
    </AdminContext>,
  );
  const { dragging, keyboard, scrollWheelZoom, doubleClickZoom, boxZoom, touchZoom } = map as unknown as LeafletMap;
  const handlers = { dragging, keyboard, scrollWheelZoom, doubleClickZoom, boxZoom, touchZoom };
  expect(Object.keys(handlers).filter((name) => handlers[name as keyof typeof handlers]?.enabled())).toEqual([]);
});

test('a replay without duration does not play', () => {
  const { result } = renderHook(() => useReplay(1000, 1000));
  act(() => result.current.toggle());
  expect(result.current.isPlaying).toBe(false);
});

test.each(['Enter', ' '])('the key "%s" acts on the mark of an interruption, as a click does', (key) => {
  const onClick = vi.fn();
  const { container } = render(
    <MapContainer center={[48, 11]} zoom={10} renderer={svg()}>
      <InterruptionMark x={11} y={48} number={1} text="10:05 Obstacle" onClick={onClick} />
    </MapContainer>,
  );
  const mark = container.querySelector('.sl-interruption-mark') as HTMLElement;
  expect(mark.tabIndex).toBe(0);
  fireEvent.keyDown(mark, { key });
  expect(onClick).toHaveBeenCalledTimes(1);
});

test('a printed plan numbers interruptions at the same place one by one', () => {
  const floor = { id: 1, name: 'Hall', width_m: 20, height_m: 10, plan: null, updated_at: '' };
  const element = (marks: readonly (readonly [number, number])[]) => (
    <AdminContext store={memoryStore()} queryClient={createQueryClient(() => {})}>
      <PlanPicture
        label="Hall"
        floor={floor}
        zones={[]}
        coverage={{ image: null, bounds: null }}
        legs={[]}
        marks={marks}
      />
    </AdminContext>
  );
  const [here, there] = [[1, 1] as const, [2, 2] as const];
  const { container, rerender } = render(element([there, here, here]));
  rerender(element([here, here]));
  expect([...container.querySelectorAll('text')].map((mark) => mark.textContent)).toEqual(['1', '2']);
});

test('a popup whose machine fails to load says why', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const getOne = () => Promise.reject(new Error('Not found.'));
  render(
    <TestMemoryRouter>
      <AdminContext store={memoryStore()} queryClient={queryClient} dataProvider={testDataProvider({ getOne })}>
        <MapContainer center={[48, 11]} zoom={10} renderer={svg()}>
          <MachinePopup machine={machine} takesFocus={false} onClose={() => undefined} />
        </MapContainer>
      </AdminContext>
    </TestMemoryRouter>,
  );
  await screen.findByText('frame.loading');
  await screen.findByText('Not found.');
  expect(screen.queryByText('frame.loading')).toBeNull();
});

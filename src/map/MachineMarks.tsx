import { layerGroup } from 'leaflet';
import { useEffect, useRef } from 'react';
import { useMap } from 'react-leaflet';
import { CanvasMark } from './CanvasMark';
import { drawCluster, drawMachine } from './drawing';
import { textNode } from './MarkLabel';
import type { Cluster, MapContent, MapPoint } from './mapContent';
import { ringRadius } from './ring';
import type { MapColors } from './useMapColors';

interface Props {
  result: MapContent | undefined;
  colors: MapColors;
  highlightedId: number | undefined;
  onMachine: (machine: MapPoint) => void;
  onCluster: (cluster: Cluster) => void;
}

/** Machines and clusters of a response on one canvas; a moved machine keeps its mark. */
export function MachineMarks({ result, colors, highlightedId, onMachine, onCluster }: Props) {
  const map = useMap();
  const group = useRef(layerGroup());
  const marks = useRef(new Map<string, DrawnMark>());
  const handlers = useRef({ onMachine, onCluster });
  handlers.current = { onMachine, onCluster };

  useEffect(() => {
    const { current } = group;
    const { current: drawnMarks } = marks;
    current.addTo(map);
    return () => {
      current.clearLayers().remove();
      drawnMarks.clear();
    };
  }, [map]);

  useEffect(() => {
    const drawnMarks = marks.current;
    const nextMarks = [...(result?.clusters ?? []).map(clusterMark), ...(result?.points ?? []).map(machineMark)];
    const keys = new Set(nextMarks.map(({ key }) => key));
    for (const [key, { mark }] of drawnMarks) {
      if (keys.has(key)) continue;
      group.current.removeLayer(mark);
      drawnMarks.delete(key);
    }
    for (const { key, at, radius, title, draw, onClick, isHighlighted } of nextMarks) {
      const drawNow: ConstructorParameters<typeof CanvasMark>[2] = (marker) =>
        draw({ ...marker, colors, isHighlighted });
      const drawnMark = drawnMarks.get(key);
      const mark = drawnMark?.mark ?? new CanvasMark(at, radius, drawNow);
      if (drawnMark) {
        mark.setLatLng(at).setDrawing(drawNow, radius);
        drawnMark.onClick = onClick;
        if (drawnMark.title !== title) mark.setTooltipContent(textNode(title));
        drawnMark.title = title;
      } else {
        mark.on('click', () => drawnMarks.get(key)?.onClick(handlers.current));
        mark.bindTooltip(textNode(title), { direction: 'top', offset: [0, -radius] });
        group.current.addLayer(mark);
        drawnMarks.set(key, { mark, title, onClick });
      }
      if (isHighlighted) mark.bringToFront();
    }

    function machineMark(machine: MapPoint): NextMark {
      const isHighlighted = machine.id === highlightedId;
      return {
        key: `machine ${machine.id}`,
        at: [machine.latitude, machine.longitude],
        radius: isHighlighted ? 13 : 11,
        title: machine.serial_number,
        draw: (marker) => drawMachine(machine.status, marker),
        onClick: ({ onMachine }) => onMachine(machine),
        isHighlighted,
      };
    }
  }, [result, colors, highlightedId]);
  return null;
}

interface NextMark {
  key: string;
  at: [number, number];
  radius: number;
  title: string;
  draw: (marker: Parameters<typeof drawMachine>[1]) => void;
  onClick: (handlers: Pick<Props, 'onMachine' | 'onCluster'>) => void;
  isHighlighted: boolean;
}

/** A mark on the map, with title and click handler of the latest response. */
interface DrawnMark extends Pick<NextMark, 'title' | 'onClick'> {
  mark: CanvasMark;
}

function clusterMark(cluster: Cluster): NextMark {
  return {
    key: `cluster ${cluster.latitude} ${cluster.longitude} ${cluster.count}`,
    at: [cluster.latitude, cluster.longitude],
    radius: ringRadius(cluster.count),
    title: String(cluster.count),
    draw: (marker) => drawCluster(cluster, marker),
    onClick: ({ onCluster }) => onCluster(cluster),
    isHighlighted: false,
  };
}

import { DomEvent } from 'leaflet';
import { useEffect } from 'react';
import { useTranslate } from 'react-admin';
import { Polygon, Polyline, useMapEvents } from 'react-leaflet';
import type { Point } from '../../../schema/dsl/polygons';
import { MarkLabel } from '../MarkLabel';
import { PointHandle } from './PointHandle';
import { toLatLng } from './planPlaces';
import { useHasRoomForName } from './useHasRoomForName';
import { zoneStyle } from './ZonePatterns';
import {
  insertCorner,
  middleOf,
  moveCorner,
  moveOutline,
  outlineProblem,
  roundPoint,
  type ZoneDraft,
} from './zoneDrafts';

/** Metres per press of an arrow key. */
export const stepMetres = 0.1;

interface Props {
  zones: readonly ZoneDraft[];
  newOutline: readonly Point[] | undefined;
  selected: ZoneDraft | undefined;
  /** Ends of the line that splits the selected zone. */
  line: readonly [Point, Point] | undefined;
  /** The corner to focus; pass a new object to focus it again. */
  focus: { index: number } | undefined;
  onSelect: (key: string) => void;
  onOutline: (polygon: readonly Point[], isContinued: boolean) => void;
  onDrawn: (corners: readonly Point[], isContinued: boolean) => void;
  onLine: (line: readonly [Point, Point]) => void;
  onFocus: (index: number) => void;
  onFinish: () => void;
}

/** Editable zones: all outlines, and handles for the selected zone or the one being drawn. */
export function ZoneLayer(props: Props) {
  const { zones, newOutline, selected, line, focus, onSelect, onOutline, onDrawn, onLine, onFocus, onFinish } = props;
  const translate = useTranslate();
  const map = useMapEvents({ click: ({ latlng }) => addCorner([latlng.lng, latlng.lat]), dblclick: () => onFinish() });
  const hasRoomForName = useHasRoomForName();
  const isDrawing = newOutline !== undefined;
  useEffect(() => {
    if (!isDrawing) return;
    map.doubleClickZoom.disable();
    return () => void map.doubleClickZoom.enable();
  }, [map, isDrawing]);
  // The second click of a double click hits the corner that the first one added.
  const addCorner = (point: Point) =>
    newOutline && !isAt(newOutline.at(-1), point) && onDrawn([...newOutline, roundPoint(point)], false);

  return (
    <>
      {zones.map((zone) => (
        <Polygon
          key={`${zone.key} ${zone.kind}`}
          positions={zone.polygon.map(toLatLng)}
          pathOptions={{ ...zoneStyle(zone.kind), weight: zone === selected ? 4 : 2 }}
          eventHandlers={{
            click: (event) => {
              if (newOutline) return;
              DomEvent.stopPropagation(event);
              onSelect(zone.key);
            },
          }}
        >
          {hasRoomForName(zone) && (
            <MarkLabel text={zone.name} permanent pane="names" direction="center" className="sl-plan__name" />
          )}
        </Polygon>
      ))}
      {newOutline && <Polyline positions={newOutline.map(toLatLng)} pathOptions={lineStyle} interactive={false} />}
      {newOutline?.map((corner, index) => (
        <PointHandle
          // biome-ignore lint/suspicious/noArrayIndexKey: a corner is identified by its position in the outline
          key={index}
          at={corner}
          step={stepMetres}
          text={String(index + 1)}
          label={translate('floors.corner', { number: index + 1 })}
          focus={focus?.index === index ? focus : undefined}
          onMove={(to, isContinued) => onDrawn(moveCorner(newOutline, index, to), isContinued)}
          onSelect={() => index === 0 && onFinish()}
          onInsert={() => {
            onDrawn(newOutline.toSpliced(index + 1, 0, [corner[0] + 1, corner[1]]), false);
            onFocus(index + 1);
          }}
          onRemove={() => onDrawn(newOutline.toSpliced(index, 1), false)}
        />
      ))}
      {selected && !newOutline && !line && (
        <>
          {selected.polygon.map((corner, index) => (
            <PointHandle
              // biome-ignore lint/suspicious/noArrayIndexKey: a corner is identified by its position in the outline
              key={index}
              at={corner}
              step={stepMetres}
              text={String(index + 1)}
              label={translate('floors.corner_of', { number: index + 1, name: selected.name })}
              focus={focus?.index === index ? focus : undefined}
              onMove={(to, isContinued) => onOutline(moveCorner(selected.polygon, index, to), isContinued)}
              onInsert={() => {
                onOutline(insertCorner(selected.polygon, index), false);
                onFocus(index + 1);
              }}
              onRemove={() => selected.polygon.length > 3 && onOutline(selected.polygon.toSpliced(index, 1), false)}
            />
          ))}
          <PointHandle
            at={middleOf(selected.polygon)}
            step={stepMetres}
            variant="middle"
            label={translate('floors.whole_zone', { name: selected.name })}
            onMove={(to, isContinued) => onOutline(moveOutline(selected.polygon, to), isContinued)}
          />
        </>
      )}
      {line && <Polyline positions={line.map(toLatLng)} pathOptions={splitStyle} interactive={false} />}
      {line?.map((end, index) => (
        <PointHandle
          // biome-ignore lint/suspicious/noArrayIndexKey: the line has two ends
          key={`line ${index}`}
          at={end}
          step={stepMetres}
          variant="line"
          label={translate('floors.line_end', { number: index + 1 })}
          onMove={(to) => onLine(index === 0 ? [to, line[1]] : [line[0], to])}
        />
      ))}
    </>
  );
}

/** Whether the drawn outline can become a zone. */
export const isClosable = (newOutline: readonly Point[] | undefined): newOutline is readonly Point[] =>
  newOutline !== undefined && outlineProblem(newOutline) === undefined;

const isAt = (corner: Point | undefined, [x, y]: Point) =>
  corner !== undefined && Math.hypot(corner[0] - x, corner[1] - y) < 0.01;

const lineStyle = { color: 'var(--sl-accent-strong)', weight: 2 };
const splitStyle = { color: 'var(--sl-danger)', weight: 2, dashArray: '6 4' };

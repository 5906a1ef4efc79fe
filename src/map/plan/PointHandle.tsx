import { divIcon, type Marker as LeafletMarker } from 'leaflet';
import { useEffect, useMemo, useRef } from 'react';
import { Marker } from 'react-leaflet';
import './handles.css';

interface PointHandleProps {
  at: readonly [x: number, y: number];
  /** Accessible name. */
  label: string;
  /** Text on the handle; letters and digits only. */
  text?: string;
  variant?: 'corner' | 'middle' | 'line';
  /** Map units per press of an arrow key; ten times as many with Shift. */
  step: number;
  isSelected?: boolean;
  /** Focuses the handle whenever a new object is passed. */
  focus?: object | undefined;
  /** `isContinued`: whether the call continues the previous movement. */
  onMove: (to: [x: number, y: number], isContinued: boolean) => void;
  onSelect?: () => void;
  onInsert?: () => void;
  onRemove?: () => void;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** A draggable point on a map. Arrow keys move it, Enter adds a point after it, Delete or Backspace removes it. */
export function PointHandle(props: PointHandleProps) {
  const { at, label, text = '', variant = 'corner', step, isSelected = false, focus } = props;
  const { onMove, onSelect, onInsert, onRemove } = props;
  const marker = useRef<LeafletMarker>(null);
  const isContinued = useRef(false);
  const icon = useMemo(
    () => divIcon({ className: `sl-handle sl-handle-${variant}`, html: text, iconSize: [24, 24] }),
    [variant, text],
  );
  useEffect(() => {
    const element = marker.current?.getElement();
    element?.setAttribute('aria-label', label);
    element?.toggleAttribute('data-selected', isSelected);
  });
  useEffect(() => {
    if (focus) focusHandle(marker.current);
  }, [focus]);
  const handleKey = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    const act = { Enter: onInsert, Delete: onRemove, Backspace: onRemove }[event.key];
    if (!arrow && !act) return;
    event.preventDefault();
    event.stopPropagation();
    act?.();
    const length = event.shiftKey ? step * 10 : step;
    if (arrow) onMove([at[0] + arrow[0] * length, at[1] + arrow[1] * length], false);
  };
  return (
    <Marker
      ref={marker}
      position={[at[1], at[0]]}
      icon={icon}
      draggable
      eventHandlers={{
        click: ({ originalEvent }) => {
          originalEvent.stopPropagation();
          focusHandle(marker.current);
          onSelect?.();
        },
        dragstart: () => {
          isContinued.current = false;
          focusHandle(marker.current);
        },
        drag: () => {
          const position = marker.current?.getLatLng();
          if (position) onMove([position.lng, position.lat], isContinued.current);
          isContinued.current = true;
        },
        keydown: ({ originalEvent }) => handleKey(originalEvent),
      }}
    />
  );
}

/** Needed because Leaflet prevents the browser from focusing the handle when a drag starts. */
const focusHandle = (marker: LeafletMarker | null) => marker?.getElement()?.focus({ preventScroll: true });

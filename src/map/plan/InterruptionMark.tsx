import { divIcon } from 'leaflet';
import { useMemo } from 'react';
import { Marker } from 'react-leaflet';
import { MarkLabel, textNode } from '../MarkLabel';
import { toLatLng } from './planPlaces';

interface Props {
  x: number;
  y: number;
  /** Its number in the list beside the plan. */
  number: number;
  /** Time, reason and duration. */
  text: string;
  onClick: () => void;
}

const size = 24;

/** Marks an interruption by its number; shows its text on hover and focus. */
export function InterruptionMark({ x, y, number, text, onClick }: Props) {
  const icon = useMemo(() => {
    const html = document.createElement('span');
    html.dataset.number = String(number);
    html.append(textNode(text));
    return divIcon({ html, className: 'sl-interruption-mark', iconSize: [size, size] });
  }, [number, text]);
  // Leaflet gives the mark the role of a button, but handles no key.
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onClick();
  };
  return (
    <Marker
      position={toLatLng([x, y])}
      icon={icon}
      eventHandlers={{ click: onClick, keydown: ({ originalEvent }) => handleKey(originalEvent) }}
    >
      <MarkLabel text={text} direction="top" offset={[0, -size / 2]} />
    </Marker>
  );
}

import { divIcon, marker } from 'leaflet';
import { useEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { useMap } from 'react-leaflet';
import type { StateName } from '../../../schema/entities/machines';
import { Icon } from '../../ui/Icon';
import { stateIcons } from '../../ui/StateMark';
import { toLatLng } from './planPlaces';

interface Props {
  state: StateName;
  x: number;
  y: number;
  /** Radians, counter-clockwise from the x axis; null if unknown. */
  theta: number | null;
}

/** Pixels. */
const size = 28;

/** A machine on a plan: the mark of its state, and its heading. Decorative: the text beside the plan says the same. */
export function PlanMachine({ state, x, y, theta }: Props) {
  const map = useMap();
  const element = useMemo(() => document.createElement('div'), []);
  const mark = useMemo(
    () =>
      marker([0, 0], {
        icon: divIcon({ html: element, className: 'sl-plan-machine', iconSize: [size, size] }),
        interactive: false,
        keyboard: false,
      }),
    [element],
  );
  useEffect(() => {
    mark.addTo(map);
    return () => void mark.remove();
  }, [map, mark]);
  useEffect(() => void mark.setLatLng(toLatLng([x, y])), [mark, x, y]);
  return createPortal(
    <span className="sl-plan-machine__mark" data-state={state.toLowerCase()}>
      {theta !== null && <i className="sl-plan-machine__heading" style={{ transform: `rotate(${-theta}rad)` }} />}
      <Icon name={stateIcons[state]} size={16} />
    </span>,
    element,
  );
}

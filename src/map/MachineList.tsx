import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useLanguage } from '../crud/shared/useLanguage';
import { formatNumber } from '../i18n/format';
import { StateMark } from '../ui/StateMark';
import type { Bounds } from './bounds';
import { type ListedMachine, useMachinesWithin } from './useMachinesWithin';
import type { Filter } from './useMapContent';

interface Props {
  filter: Filter;
  bounds: Bounds | undefined;
  /** Number of matching machines without a position. */
  withoutPosition: number;
  /** Called with the hovered or focused machine, `undefined` for none. */
  onPoint: (id: number | undefined) => void;
  /** The machine that is open beside the map. While a machine is open, focusing another one opens that one. */
  openId: number | undefined;
  onOpen: (machine: ListedMachine) => void;
  onClose: () => void;
}

/** The visible machines as a list beside the map: the keyboard and screen-reader alternative to the canvas. */
export function MachineList({ filter, bounds, withoutPosition, openId, onPoint, onOpen, onClose }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const [focusedIndex, setFocusedIndex] = useState(0);
  const { data } = useMachinesWithin({ filter, bounds, limit: 100 });
  const machines = data?.data ?? [];
  const openIndex = machines.findIndex(({ id }) => id === openId);
  const activeIndex = openIndex >= 0 ? openIndex : Math.min(focusedIndex, Math.max(machines.length - 1, 0));

  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onClose();
    const to = { ArrowDown: activeIndex + 1, ArrowUp: activeIndex - 1, Home: 0, End: machines.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), machines.length - 1);
    setFocusedIndex(index);
    list.current?.querySelectorAll('button')[index]?.focus();
  };

  return (
    <section className="sl-mapview__list" aria-label={translate('map.in_view')}>
      <h2>
        {translate('map.in_view')} <span>{data && formatNumber(data.total, { language })}</span>
      </h2>
      <ul ref={list} onKeyDown={move} onMouseLeave={() => onPoint(undefined)} onBlur={() => onPoint(undefined)}>
        {machines.map((machine, index) => (
          <li key={machine.id}>
            <button
              type="button"
              tabIndex={index === activeIndex ? 0 : -1}
              data-id={machine.id}
              aria-current={machine.id === openId || undefined}
              onFocus={() => {
                setFocusedIndex(index);
                onPoint(machine.id);
                if (openId !== undefined) onOpen(machine);
              }}
              onMouseEnter={() => onPoint(machine.id)}
              onClick={() => onOpen(machine)}
            >
              <span className="sl-mapview__serial">{machine.serial_number}</span>
              <StateMark state={machine.status} />
            </button>
          </li>
        ))}
      </ul>
      {data && data.total > machines.length && <p>{translate('map.first', { shown: machines.length })}</p>}
      {data?.total === 0 && <p>{translate('map.none_here')}</p>}
      {withoutPosition > 0 && <p>{translate('map.without_position', { smart_count: withoutPosition })}</p>}
    </section>
  );
}

import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** Milliseconds that a pointer rests before what has arrived is shown. */
const restingTime = 700;

/**
 * Keeps `latest` as shown while the pointer moves over the list or is pressed: what arrives then would push the line
 * away that the user aims at, and a click on a line that moves between press and release opens nothing. Returns what to
 * show, the handlers of the list, and `release`, which shows the latest at once, for when the user types.
 */
export function useSteadyUnderPointer<T>(latest: T) {
  const [held, setHeld] = useState<{ value: T }>();
  const shown = held ? held.value : latest;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hold = () => {
    clearTimeout(timer.current);
    setHeld((current) => current ?? { value: shown });
  };
  const release = () => {
    clearTimeout(timer.current);
    setHeld(undefined);
  };
  const holdUntilRest = () => {
    hold();
    timer.current = setTimeout(release, restingTime);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const handlers = {
    onPointerMove: ({ nativeEvent: { movementX, movementY, buttons } }: PointerEvent) => {
      // Browsers also send this event when something else comes under a pointer that lies still.
      if (buttons === 0 && (movementX !== 0 || movementY !== 0)) holdUntilRest();
    },
    onPointerDown: hold,
    // The click follows.
    onPointerUp: holdUntilRest,
    onPointerCancel: release,
    // A finger leaves when it is lifted, before its click.
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && release(),
  };
  return { shown, handlers, release };
}

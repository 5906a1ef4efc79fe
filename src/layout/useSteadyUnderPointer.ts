import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** Milliseconds that the pointer must rest before a new value is shown. */
const restingTime = 700;

/**
 * Delays new values while the pointer moves over a list or is pressed. Otherwise results that arrive meanwhile would
 * move the line at which the user aims, and a click on a line that moves between press and release opens nothing.
 * Returns the value to show, the event handlers of the list, and `release()`, which shows `latest` at once; call it
 * when the user types.
 */
export function useSteadyUnderPointer<T>(latest: T) {
  const [heldValue, setHeldValue] = useState<{ value: T }>();
  const displayedValue = heldValue ? heldValue.value : latest;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hold = () => {
    clearTimeout(timer.current);
    setHeldValue((current) => current ?? { value: displayedValue });
  };
  const release = () => {
    clearTimeout(timer.current);
    setHeldValue(undefined);
  };
  const holdUntilRest = () => {
    hold();
    timer.current = setTimeout(release, restingTime);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const handlers = {
    onPointerMove: ({ nativeEvent: { movementX, movementY, buttons } }: PointerEvent) => {
      // Browsers also send this event when another element moves under a resting pointer.
      if (buttons === 0 && (movementX !== 0 || movementY !== 0)) holdUntilRest();
    },
    onWheel: holdUntilRest,
    onPointerDown: hold,
    // The browser sends the click after this event.
    onPointerUp: holdUntilRest,
    onPointerCancel: release,
    // A lifted finger sends this event before its click.
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && release(),
  };
  return { displayedValue, handlers, release };
}

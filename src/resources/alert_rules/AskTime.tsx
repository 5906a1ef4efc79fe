import { type Asked, attributes, textOf } from '../parts/asked';

/** A time of day, with the browser's own input; `HH:MM` whatever clock the reader is used to. */
export const AskTime = (asked: Asked) => (
  <input
    className="sl-input sl-rule-time"
    type="time"
    {...attributes(asked)}
    value={textOf(asked.value)}
    onChange={({ target }) => asked.onChange(target.value === '' ? null : target.value.slice(0, 5))}
  />
);

export const quietHours = { quiet_from: (asked: Asked) => <AskTime {...asked} />, quiet_to: (asked: Asked) => <AskTime {...asked} /> };

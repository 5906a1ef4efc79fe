import { attributes, type InputProps, inputText } from '../../crud/fields/inputProps';

/** A time of day, with the browser's own input; `HH:MM` whatever clock the reader is used to. */
export const AskTime = (asked: InputProps) => (
  <input
    className="sl-input sl-rule-time"
    type="time"
    {...attributes(asked)}
    value={inputText(asked.value)}
    onChange={({ target }) => asked.onChange(target.value === '' ? null : target.value.slice(0, 5))}
  />
);

export const quietHours = {
  quiet_from: (asked: InputProps) => <AskTime {...asked} />,
  quiet_to: (asked: InputProps) => <AskTime {...asked} />,
};

import { attributes, type InputProps, inputText } from '../../crud/fields/inputProps';

/** Input for a time of day, `HH:MM` regardless of the browser's clock format. */
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

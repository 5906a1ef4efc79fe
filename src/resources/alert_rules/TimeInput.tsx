import { attributes, type InputProps, inputText } from '../../crud/fields/inputProps';

/** Input for a time of day as `HH:MM`, regardless of the browser's clock format. */
export const TimeInput = (props: InputProps) => (
  <input
    className="sl-input sl-rule-time"
    type="time"
    {...attributes(props)}
    value={inputText(props.value)}
    onChange={({ target }) => props.onChange(target.value === '' ? null : target.value.slice(0, 5))}
  />
);

export const quietHourInputs = {
  quiet_from: (props: InputProps) => <TimeInput {...props} />,
  quiet_to: (props: InputProps) => <TimeInput {...props} />,
};

/** Inputs of fields that convert what is typed. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { CoreAdminContext } from 'react-admin';
import { afterEach, expect, test } from 'vitest';
import type { Hours } from '../../schema/dsl/hours';
import { integrations } from '../../schema/entities/integrations';
import { locations } from '../../schema/entities/locations';
import { users } from '../../schema/entities/users';
import { HoursInput } from '../../src/crud/fields/HoursInput';
import { ImageInput } from '../../src/crud/fields/ImageInput';
import type { InputProps } from '../../src/crud/fields/inputProps';
import { JsonInput } from '../../src/crud/fields/JsonInput';

afterEach(cleanup);

const common = {
  id: 'field',
  invalid: false,
  required: false,
  disabled: false,
  describedBy: undefined,
  onBlur: () => undefined,
  inputRef: () => undefined,
};
let latestValue: unknown;

/** An input in a form that can discard the changes. */
const Form = ({ initial, children }: { initial: unknown; children: (props: Partial<InputProps>) => ReactNode }) => {
  const [value, setValue] = useState(initial);
  latestValue = value;
  return (
    <CoreAdminContext>
      {children({ ...common, value, onChange: setValue })}
      <button type="button" onClick={() => setValue(initial)}>
        discard
      </button>
    </CoreAdminContext>
  );
};

test('a change of the first day keeps the last day of a period, unless the period would end before it starts', () => {
  const exceptions = [{ to: '2026-12-31', from: '2026-12-24', spans: [] }];
  const field = locations.fields.opening_hours;
  render(
    <Form initial={{ note: null, week: null, holidays: null, exceptions }}>
      {(props) => <HoursInput {...(props as InputProps)} entity={locations} source="opening_hours" field={field} />}
    </Form>,
  );
  const days = () => (latestValue as Hours).exceptions.map(({ from, to }) => [from, to]);
  const type = (text: string) =>
    fireEvent.change(screen.getByLabelText('hours.first_day'), { target: { value: text } });
  for (const text of ['24.12.202', '23', '23.12.2026']) type(text);
  expect(days()).toEqual([['2026-12-23', '2026-12-31']]);
  type('02.01.2027');
  expect(days()).toEqual([['2027-01-02', '2027-01-02']]);
});

test('a JSON value keeps its format while it is typed, and shows the former value after the changes are discarded', () => {
  render(
    <Form initial={{ a: 1 }}>
      {(props) => (
        <JsonInput
          {...(props as InputProps)}
          entity={integrations}
          source="mapping"
          field={integrations.fields.mapping}
        />
      )}
    </Form>,
  );
  const input = screen.getByRole<HTMLTextAreaElement>('textbox');
  fireEvent.change(input, { target: { value: '{\n  "a": 2\n}' } });
  expect([input.value, latestValue]).toEqual(['{\n  "a": 2\n}', { a: 2 }]);
  fireEvent.click(screen.getByRole('button', { name: 'discard' }));
  expect(input.value).toBe('{"a":1}');
});

test('an image can be chosen again after its choice was discarded', async () => {
  render(
    <Form initial={null}>
      {(props) => <ImageInput {...(props as InputProps)} entity={users} source="image" field={users.fields.image} />}
    </Form>,
  );
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => undefined;
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  const image = new File(['x'], 'logo.png', { type: 'image/png' });
  await userEvent.upload(input, image);
  expect([latestValue, input.value]).toEqual([image, '']);
});

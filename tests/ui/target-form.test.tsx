/** The form that maps a value of an example message to a field. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { TargetForm } from '../../src/resources/integrations/TargetForm';

afterEach(cleanup);

test('a unit does not outlive the target for which it was chosen', () => {
  const onMap = vi.fn();
  const node = { path: '$.no', label: 'no', depth: 1, text: '7' };
  render(
    <CoreAdminContext>
      <TargetForm node={node} onMap={onMap} onClose={() => {}} />
    </CoreAdminContext>,
  );
  const choose = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } });
  choose('integrations.becomes', 'runs.field.cleaned_area_m2');
  choose('integrations.unit', 'ft2');
  choose('integrations.becomes', 'runs.field.external_id');
  fireEvent.click(screen.getByRole('button', { name: 'integrations.map' }));
  expect(onMap.mock.calls).toEqual([[{ kind: 'runs', part: 'field', field: 'external_id' }, {}]]);
});

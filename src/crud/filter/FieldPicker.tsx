import { useTranslate } from 'ra-core';
import { useMemo } from 'react';
import { OptionGroup } from '../../ui/OptionGroup';
import { Picker } from '../../ui/Picker';
import type { FieldGroup, FieldOption } from './fieldGroups';

interface FieldPickerProps {
  groups: readonly FieldGroup[];
  /** Path of the chosen field, '' for none. */
  path: string;
  /** Label of the chosen field. */
  chosenLabel: string;
  label: string;
  invalid: boolean;
  describedBy?: string;
  onChange: (path: string) => void;
}

interface GroupedField extends FieldOption {
  group: string;
}

/** Picks a field from groups by typing. */
export const FieldPicker = ({ groups, path, chosenLabel, label, invalid, describedBy, onChange }: FieldPickerProps) => {
  const translate = useTranslate();
  const options = useMemo(
    () => groups.flatMap(({ label: group, fields }) => fields.map((field) => ({ ...field, group }))),
    [groups],
  );
  const selectedOption = options.find((option) => option.path === path);
  return (
    <Picker<GroupedField>
      options={options}
      filterOptions={narrowOptions}
      groupBy={({ group }) => group}
      renderGroup={({ key, group, children }) => (
        <OptionGroup key={key} title={group} className="sl-field-group">
          {children}
        </OptionGroup>
      )}
      getOptionLabel={(option) => (option === selectedOption ? chosenLabel : option.label)}
      value={selectedOption ?? null}
      onChange={(_, next) => next && onChange(next.path)}
      listLabel={label}
      input={{
        'aria-label': label,
        'aria-invalid': invalid,
        'aria-describedby': describedBy,
        placeholder: translate('filters.choose_field'),
      }}
    />
  );
};

/** Keeps the fields whose label, or that of their group, contains every typed word. */
function narrowOptions(options: GroupedField[], { inputValue }: { inputValue: string }): GroupedField[] {
  const words = inputValue.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return options.filter(({ group, label }) =>
    words.every((word) => `${group} ${label}`.toLocaleLowerCase().includes(word)),
  );
}

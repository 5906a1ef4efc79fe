import { useTranslate } from 'react-admin';
import { FormField } from '../../ui/FormField';
import type { ServerField } from '../../ui/useServerForm';

const autoCompleteNames = { first_name: 'given-name', last_name: 'family-name' } as const;
type Name = keyof typeof autoCompleteNames;

/** Inputs for first and last name. */
export const PersonName = ({ fieldAt }: { fieldAt: (name: Name) => ServerField }) => {
  const translate = useTranslate();
  return (Object.keys(autoCompleteNames) as Name[]).map((name) => (
    <FormField
      key={name}
      label={translate(`resources.users.fields.${name}`)}
      autoComplete={autoCompleteNames[name]}
      required
      {...fieldAt(name)}
    />
  ));
};

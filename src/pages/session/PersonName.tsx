import { useTranslate } from 'react-admin';
import { FormField } from '../../ui/FormField';
import type { ServerField } from '../../ui/useServerForm';

const names = { first_name: 'given-name', last_name: 'family-name' } as const;
type Name = keyof typeof names;

/** Asks for first and last name. */
export const PersonName = ({ fieldAt }: { fieldAt: (name: Name) => ServerField }) => {
  const translate = useTranslate();
  return (Object.keys(names) as Name[]).map((name) => (
    <FormField
      key={name}
      label={translate(`resources.users.fields.${name}`)}
      autoComplete={names[name]}
      required
      {...fieldAt(name)}
    />
  ));
};

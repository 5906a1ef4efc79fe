import { useTranslate } from 'react-admin';
import { serviceEntries } from '../../../schema/entities/service_entries';
import { isReadable } from '../entities';
import { Details } from '../record/Details';
import { RecordPage } from '../record/RecordPage';

/** What the title says already, and what only programs read, is left out. */
const shown = [...(serviceEntries.form.main ?? []), 'file_name', 'file_size'];

/** One service entry with its file. */
export function EntryPage() {
  const translate = useTranslate();
  const fields = shown.filter((name) => isReadable(serviceEntries.fields[name as keyof typeof serviceEntries.fields]));
  return (
    <RecordPage
      entity={serviceEntries}
      details={{
        label: translate('record.details'),
        element: (record) => <Details entity={serviceEntries} record={record} groups={[{ name: 'main', fields }]} />,
      }}
    />
  );
}

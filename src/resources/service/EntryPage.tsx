import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { serviceEntries } from '../../../schema/entities/service_entries';
import { Details } from '../../crud/record/Details';
import { RecordPage } from '../../crud/record/RecordPage';
import { isReadable } from '../../crud/shared/entities';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { uploadErrorMessage } from '../../providers/errorMessage';
import { ServiceFileInput } from './ServiceFileInput';

/** Fields in the details: those of the form and the file, without the fields in the title and without timestamps. */
const detailFields = [...(serviceEntries.form.main ?? []), 'file_name', 'file_size'];

/** The page of a service entry, to which a file can be added later. */
export function EntryPage() {
  const translate = useTranslate();
  const fields = detailFields.filter((name) =>
    isReadable(serviceEntries.fields[name as keyof typeof serviceEntries.fields]),
  );
  return (
    <RecordPage
      entity={serviceEntries}
      details={{
        label: translate('record.details'),
        element: (record) => (
          <>
            <Details entity={serviceEntries} record={record} groups={[{ name: 'main', fields }]} />
            <EntryFileSection entry={record as Row<typeof serviceEntries>} />
          </>
        ),
      }}
    />
  );
}

/** Upload of the entry's file. Users who may edit can replace it; users who may only create can add a missing one. */
function EntryFileSection({ entry }: { entry: Row<typeof serviceEntries> }) {
  const translate = useTranslate();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (!can(serviceEntries.name, 'edit') && !(can(serviceEntries.name, 'create') && !entry.file_name)) return null;
  const send = async (file: File | undefined) => {
    setProblem(undefined);
    if (!file) return;
    setBusy(true);
    const form = new FormData();
    form.append('file', file);
    await call('POST /service_entries/{id}/file', { params: { id: entry.id }, form }).catch((error: unknown) =>
      setProblem(uploadErrorMessage(error, translate)),
    );
    setBusy(false);
    await client.invalidateQueries({ queryKey: [serviceEntries.name] });
  };
  return (
    <section className="sl-section sl-paper-section">
      <ServiceFileInput problem={problem} disabled={isBusy} onChoose={(file) => void send(file)} />
    </section>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useDataProvider, useNotify, useTranslate } from 'react-admin';
import { Controller } from 'react-hook-form';
import { serviceEntries, serviceKinds } from '../../../schema/entities/service_entries';
import { DayBox } from '../../crud/fields/DayBox';
import { parseDecimal } from '../../crud/fields/parseInput';
import { holds } from '../../crud/shared/entities';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useServerForm } from '../../pages/session/useServerForm';
import { FormField } from '../../ui/FormField';
import { PaperInput } from '../service/PaperInput';
import { sendPaper } from '../service/sendPaper';
import { FreeTextInput, KindInput, SubmitButtons } from './MachineFormFields';
import type { MachineRow } from './machineRow';

interface Values {
  kind: (typeof serviceKinds)[number];
  date: string;
  cost: string;
  note: string;
}

const label = (name: string) => `resources.service_entries.fields.${name}`;

/**
 * Form for a new service entry with few, large controls: it is filled in beside the machine, on a phone, with gloves
 * on.
 */
export function AddServiceEntry({ machine, onClose }: { machine: MachineRow; onClose: () => void }) {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const provider = useDataProvider();
  const client = useQueryClient();
  const id = useId();
  const [file, setFile] = useState<File>();
  const { register, control, submit, problemAt, fieldAt, busy } = useServerForm<Values>({
    defaults: { kind: 'maintenance', date: new Date().toLocaleDateString('sv-SE'), cost: '', note: '' },
    done: 'resources.service_entries.added',
    send: async ({ kind, date, cost, note }) => {
      const data = {
        machine_id: machine.id,
        kind,
        date,
        ...(cost.trim() && { cost: parseDecimal(cost, language) }),
        ...(note.trim() && { note }),
      };
      const created = await provider.create(serviceEntries.name, { data });
      if (file) await attach(created.data.id, file);
      await Promise.all([serviceEntries.name, 'machines'].map((key) => client.invalidateQueries({ queryKey: [key] })));
      onClose();
    },
  });
  const attach = (entry: number, chosen: File) =>
    sendPaper(entry, chosen).catch((error: Error) =>
      notify('service.file_failed', {
        type: 'warning',
        messageArgs: { reason: translate(error.message, { _: error.message }) },
      }),
    );

  return (
    <form
      className="sl-service-form"
      onSubmit={submit}
      noValidate
      aria-label={translate('resources.service_entries.add')}
    >
      <KindInput
        legend={translate(label('kind'))}
        kinds={serviceKinds}
        texts="resources.service_entries.choices.kind"
        field={register('kind')}
      />
      <div className="sl-field" data-wrong={problemAt('date') !== undefined}>
        <label htmlFor={`${id}-date`}>{translate(label('date'))}</label>
        <Controller
          control={control}
          name="date"
          render={({ field: { value, onChange, onBlur } }) => (
            <DayBox
              id={`${id}-date`}
              value={value}
              onChange={onChange}
              onBlur={onBlur}
              aria-describedby={`${id}-problem`}
            />
          )}
        />
        <p className="sl-field-problem" id={`${id}-problem`}>
          {problemAt('date')}
        </p>
      </div>
      {holds('machines.finance') && (
        <FormField label={`${translate(label('cost'))} (€)`} inputMode="decimal" {...fieldAt('cost')} />
      )}
      <FreeTextInput label={translate(label('note'))} field={fieldAt('note')} />
      <PaperInput chosen={file?.name} onChoose={setFile} />
      <SubmitButtons send="form.save" sending="form.saving" busy={busy} onClose={onClose} />
    </form>
  );
}

import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Controller } from 'react-hook-form';
import { serviceEntries, serviceKinds } from '../../../schema/entities/service_entries';
import { presentDay } from '../../charts/period';
import { DayBox } from '../../crud/fields/DayBox';
import { parseDecimal } from '../../crud/fields/parseInput';
import { isPermitted } from '../../crud/shared/entities';
import { useLanguage } from '../../crud/shared/useLanguage';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';
import { ServiceFileInput } from '../service/ServiceFileInput';
import { FreeTextInput, KindInput, SubmitButtons } from './MachineFormFields';
import type { MachineRow } from './machineRow';
import { useSubmitEntry } from './useSubmitEntry';

interface Values {
  kind: (typeof serviceKinds)[number];
  date: string;
  cost: string;
  note: string;
}

const label = (name: string) => `resources.service_entries.fields.${name}`;

/** Form for a new service entry. Has few, large controls, for use at the machine on a phone or with gloves. */
export function AddServiceEntry({ machine, onClose }: { machine: MachineRow; onClose: () => void }) {
  const translate = useTranslate();
  const language = useLanguage();
  const submitEntry = useSubmitEntry();
  const id = useId();
  const [file, setFile] = useState<File>();
  // Today at the site, which is also the last day of the costs that the page shows.
  const siteDay = presentDay(machine.location?.time_zone);
  const { register, control, submit, problemAt, fieldAt, isBusy } = useServerForm<Values>({
    defaults: { kind: 'maintenance', date: siteDay, cost: '', note: '' },
    send: async ({ kind, date, cost, note }) => {
      await submitEntry(
        {
          kind: 'service',
          about: machine.serial_number,
          words: [translate(`resources.service_entries.choices.kind.${kind}`), note.trim()].filter(Boolean).join(': '),
          path: serviceEntries.name,
          body: {
            machine_id: machine.id,
            kind,
            date,
            ...(cost.trim() && { cost: parseDecimal(cost, language) }),
            ...(note.trim() && { note }),
          },
          files: file ? [file] : [],
          filePath: 'service_entries/{id}/file',
        },
        { sent: 'resources.service_entries.added', reload: [serviceEntries.name, 'machines'] },
      );
      onClose();
    },
  });

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
      {isPermitted('machines.finance') && (
        <FormField label={`${translate(label('cost'))} (€)`} inputMode="decimal" {...fieldAt('cost')} />
      )}
      <FreeTextInput label={translate(label('note'))} field={fieldAt('note')} />
      <ServiceFileInput content={file?.name} onChoose={setFile} />
      <SubmitButtons send="form.save" sending="form.saving" isBusy={isBusy} onClose={onClose} />
    </form>
  );
}

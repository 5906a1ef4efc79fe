import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useDataProvider, useNotify, useTranslate } from 'react-admin';
import { Controller } from 'react-hook-form';
import { serviceEntries, serviceKinds } from '../../../schema/entities/service_entries';
import { Field } from '../../pages/Field';
import { useServerForm } from '../../pages/useServerForm';
import { api } from '../../providers/http';
import { holds } from '../entities';
import { useLanguage } from '../language';
import { DayBox } from '../parts/DayBox';
import { readDecimal } from '../parts/typed';
import { documentProblem, paperEndings } from './documentRules';
import type { MachineRow } from './machine';

interface Values {
  kind: (typeof serviceKinds)[number];
  date: string;
  cost: string;
  note: string;
}

/** Media types beside the endings: by them phones offer their camera. */
const accepted = [...paperEndings.map((ending) => `.${ending}`), 'image/jpeg', 'image/png'].join(',');
const label = (name: string) => `resources.service_entries.fields.${name}`;

/** What was done just now, asked for in few and large pieces: it is filled in beside the machine, on a phone, with gloves on. */
export function AddServiceEntry({ machine, onClose }: { machine: MachineRow; onClose: () => void }) {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const provider = useDataProvider();
  const client = useQueryClient();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [fileProblem, setFileProblem] = useState<string>();
  const { register, control, submit, problemAt, busy } = useServerForm<Values>({
    defaults: { kind: 'maintenance', date: new Date().toLocaleDateString('sv-SE'), cost: '', note: '' },
    done: 'resources.service_entries.added',
    send: async ({ kind, date, cost, note }) => {
      const data = { machine_id: machine.id, kind, date, ...(cost.trim() && { cost: readDecimal(cost, language) }), ...(note.trim() && { note }) };
      const made = await provider.create(serviceEntries.name, { data });
      if (file) await attach(made.data.id, file);
      await Promise.all([serviceEntries.name, 'machines'].map((key) => client.invalidateQueries({ queryKey: [key] })));
      onClose();
    },
  });
  const attach = async (entry: number, chosen: File) => {
    const form = new FormData();
    form.append('file', chosen);
    await api(`${serviceEntries.name}/${entry}/file`, { method: 'POST', form }).catch((error: Error) =>
      notify('service.file_failed', { type: 'warning', messageArgs: { reason: translate(error.message, { _: error.message }) } }),
    );
  };
  const choose = (chosen: File | undefined) => {
    const wrong = chosen && documentProblem(chosen, paperEndings);
    setFileProblem(wrong && translate(`validation.${wrong}`, { field: translate('service.file') }));
    setFile(wrong ? undefined : chosen);
  };

  return (
    <form className="sl-service-form" onSubmit={submit} noValidate aria-label={translate('resources.service_entries.add')}>
      <fieldset className="sl-service-kinds">
        <legend>{translate(label('kind'))}</legend>
        {serviceKinds.map((kind) => (
          <label key={kind}>
            <input type="radio" value={kind} {...register('kind')} />
            <span>{translate(`resources.service_entries.choices.kind.${kind}`)}</span>
          </label>
        ))}
      </fieldset>
      <div className="sl-field" data-wrong={problemAt('date') !== undefined}>
        <label htmlFor={`${id}-date`}>{translate(label('date'))}</label>
        <Controller
          control={control}
          name="date"
          render={({ field: { value, onChange, onBlur } }) => (
            <DayBox id={`${id}-date`} value={value} onChange={onChange} onBlur={onBlur} aria-describedby={`${id}-problem`} />
          )}
        />
        <p className="sl-field-problem" id={`${id}-problem`}>
          {problemAt('date')}
        </p>
      </div>
      {holds('machines.finance') && <Field label={`${translate(label('cost'))} (€)`} inputMode="decimal" problem={problemAt('cost')} {...register('cost')} />}
      <div className="sl-field" data-wrong={problemAt('note') !== undefined}>
        <label htmlFor={`${id}-note`}>{translate(label('note'))}</label>
        <textarea id={`${id}-note`} className="sl-input sl-textarea" rows={3} {...register('note')} />
        <p className="sl-field-problem">{problemAt('note')}</p>
      </div>
      <div className="sl-field" data-wrong={fileProblem !== undefined}>
        <span id={`${id}-file`}>{translate('service.file')}</span>
        <label className="sl-button sl-service-file">
          <input
            type="file"
            className="sl-hidden"
            aria-labelledby={`${id}-file`}
            aria-describedby={`${id}-rules`}
            accept={accepted}
            onChange={({ target }) => choose(target.files?.[0])}
          />
          {file?.name ?? translate('service.choose_file')}
        </label>
        <p className="sl-field-help" id={`${id}-rules`}>
          {translate('service.file_rules')}
        </p>
        <p className="sl-field-problem" role="alert">
          {fileProblem}
        </p>
      </div>
      <div className="sl-buttons">
        <button type="submit" className="sl-button sl-button-primary" disabled={busy}>
          {translate(busy ? 'form.saving' : 'form.save')}
        </button>
        <button type="button" className="sl-button" disabled={busy} onClick={onClose}>
          {translate('form.cancel')}
        </button>
      </div>
    </form>
  );
}

import { useId, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import type { ImportColumn } from '../../../schema/shared/imports';
import { CommonValues } from './CommonValues';
import { DetectedEncoding } from './DetectedEncoding';
import { type Import, useImportSteps } from './import';
import { ReadingSettings } from './ReadingSettings';
import { type ImportChoices, initialSettings, settingsBody } from './settings';

interface ColumnsStepProps {
  job: Import;
  /** Whether the user came here to change the encoding. */
  startsAtEncoding: boolean;
  onChecked: () => void;
}

/** Maps columns to fields and edits the settings for reading the file. */
export const ColumnsStep = ({ job, startsAtEncoding, onChecked }: ColumnsStepProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const { runStep } = useImportSteps(job.id);
  const [mapping, setMapping] = useState<Record<string, string>>(() =>
    Object.fromEntries(job.columns.map(({ key, target }) => [key, target ?? ''])),
  );
  const [fixed, setFixed] = useState<Record<string, string>>(() => ({ ...job.settings.fixed }));
  const [settings, setSettings] = useState<ImportChoices>(() => initialSettings(job));
  const [isSending, setSending] = useState(false);
  const [encodingFocus, focusEncoding] = useState(startsAtEncoding ? 1 : 0);

  const check = async () => {
    setSending(true);
    try {
      // Another sheet, header row, delimiter or encoding changes the columns, so their mapping is detected again.
      const isSameTable =
        settings.sheet === (job.facts?.sheet ?? '') &&
        settings.header_row === String(job.facts?.header_row ?? '') &&
        settings.delimiter === (job.facts?.delimiter ?? '') &&
        settings.encoding === (job.facts?.encoding ?? '');
      const columns = isSameTable
        ? {
            mapping: Object.fromEntries(
              Object.entries(mapping).map(([key, target]) => [key, target === '' ? null : target]),
            ),
          }
        : { mapping: null };
      await runStep('check', {
        ...settingsBody(settings),
        ...columns,
        fixed: Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== '')),
      } as never);
      onChecked();
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
      setSending(false);
    }
  };
  return (
    <>
      <DetectedEncoding job={job} onChoose={() => focusEncoding(encodingFocus + 1)} />
      <section className="sl-import-note">
        <h2>{translate('imports.columns_title')}</h2>
        <p>{translate('imports.columns_text')}</p>
        <ul className="sl-import-columns">
          {job.columns.map((column) => (
            <Column
              key={column.key}
              job={job}
              column={column}
              target={mapping[column.key] ?? ''}
              onTarget={(target) => setMapping({ ...mapping, [column.key]: target })}
            />
          ))}
        </ul>
      </section>
      <CommonValues job={job} mapping={Object.values(mapping)} fixed={fixed} onFixed={setFixed} />
      <ReadingSettings job={job} value={settings} encodingFocus={encodingFocus} onChange={setSettings} />
      <div className="sl-buttons sl-import-actions">
        <button type="button" className="sl-button" onClick={onChecked}>
          {translate('imports.without_change')}
        </button>
        <button type="button" className="sl-button sl-button-primary" disabled={isSending} onClick={() => void check()}>
          {translate('imports.check')}
        </button>
      </div>
    </>
  );
};

interface ColumnProps {
  job: Import;
  column: ImportColumn;
  target: string;
  onTarget: (target: string) => void;
}

const Column = ({ job, column, target, onTarget }: ColumnProps) => {
  const translate = useTranslate();
  const id = useId();
  const labelOf = (field: string) =>
    field === 'id' ? translate('common.id') : translate(`resources.${job.resource}.fields.${field}`);
  return (
    <li data-left-out={target === ''}>
      <div>
        <label htmlFor={id}>{column.head || translate('imports.column_number', { number: column.index + 1 })}</label>
        <p className="sl-import-samples">{column.samples.join(' · ') || '–'}</p>
      </div>
      <div>
        <select id={id} className="sl-select" value={target} onChange={(event) => onTarget(event.target.value)}>
          <option value="">{translate('imports.leave_out')}</option>
          {job.targets.map(({ name, by_name, field }) => (
            <option key={name} value={name}>
              {labelOf(field)}
              {!by_name &&
                job.targets.some((other) => other.by_name && other.field === field) &&
                ` (${translate('common.id')})`}
            </option>
          ))}
        </select>
        {column.left_out && target === '' && (
          <p className="sl-field-help">{translate(`imports.left_out_${column.left_out}`)}</p>
        )}
      </div>
    </li>
  );
};

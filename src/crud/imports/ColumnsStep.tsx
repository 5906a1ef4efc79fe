import { useId, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import type { ImportColumn } from '../../../schema/shared/imports';
import { EveryRow } from './EveryRow';
import { type Import, useSteps } from './import';
import { ReadAs } from './ReadAs';
import { ReadingSettings } from './ReadingSettings';
import { askedOf, type ImportChoices, sentSettings } from './settings';

interface ColumnsStepProps {
  one: Import;
  /** Whether the user came to change the encoding. */
  isEncodingAsked: boolean;
  onChecked: () => void;
}

/** Maps columns to fields and sets how to read the file. */
export const ColumnsStep = ({ one, isEncodingAsked, onChecked }: ColumnsStepProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const { steer } = useSteps(one.id);
  const [mapping, setMapping] = useState<Record<string, string>>(() =>
    Object.fromEntries(one.columns.map(({ key, target }) => [key, target ?? ''])),
  );
  const [fixed, setFixed] = useState<Record<string, string>>(() => ({ ...one.settings.fixed }));
  const [settings, setSettings] = useState<ImportChoices>(() => askedOf(one));
  const [isSending, setSending] = useState(false);
  const [encodingAsked, askEncoding] = useState(isEncodingAsked ? 1 : 0);

  const check = async () => {
    setSending(true);
    try {
      // Another sheet, header row or encoding changes the columns, which are then detected again.
      const isSameTable =
        settings.sheet === (one.facts?.sheet ?? '') &&
        settings.header_row === String(one.facts?.header_row ?? '') &&
        settings.delimiter === (one.facts?.delimiter ?? '') &&
        settings.encoding === (one.facts?.encoding ?? '');
      const columns = isSameTable
        ? {
            mapping: Object.fromEntries(
              Object.entries(mapping).map(([key, target]) => [key, target === '' ? null : target]),
            ),
          }
        : { mapping: null };
      await steer('check', {
        ...sentSettings(settings),
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
      <ReadAs one={one} onChoose={() => askEncoding(encodingAsked + 1)} />
      <section className="sl-import-note">
        <h2>{translate('imports.columns_title')}</h2>
        <p>{translate('imports.columns_text')}</p>
        <ul className="sl-import-columns">
          {one.columns.map((column) => (
            <Column
              key={column.key}
              one={one}
              column={column}
              target={mapping[column.key] ?? ''}
              onTarget={(target) => setMapping({ ...mapping, [column.key]: target })}
            />
          ))}
        </ul>
      </section>
      <EveryRow one={one} mapping={Object.values(mapping)} fixed={fixed} onFixed={setFixed} />
      <ReadingSettings one={one} asked={settings} encodingAsked={encodingAsked} onAsked={setSettings} />
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
  one: Import;
  column: ImportColumn;
  target: string;
  onTarget: (target: string) => void;
}

const Column = ({ one, column, target, onTarget }: ColumnProps) => {
  const translate = useTranslate();
  const id = useId();
  const labelOf = (field: string) =>
    field === 'id' ? translate('common.id') : translate(`resources.${one.resource}.fields.${field}`);
  return (
    <li data-left-out={target === ''}>
      <div>
        <label htmlFor={id}>{column.head || translate('imports.column_number', { number: column.index + 1 })}</label>
        <p className="sl-import-samples">{column.samples.join(' · ') || '–'}</p>
      </div>
      <div>
        <select id={id} className="sl-select" value={target} onChange={(event) => onTarget(event.target.value)}>
          <option value="">{translate('imports.leave_out')}</option>
          {one.targets.map(({ name, by_name, field }) => (
            <option key={name} value={name}>
              {labelOf(field)}
              {!by_name &&
                one.targets.some((other) => other.by_name && other.field === field) &&
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

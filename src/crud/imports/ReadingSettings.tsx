import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { dateOrders, delimiters, encodings, importModes } from '../../../schema/shared/imports';
import type { Import } from './import';
import type { ImportChoices } from './settings';

interface SettingsProps {
  job: Import;
  value: ImportChoices;
  /** Counts requests to change the encoding; each increase focuses its select. */
  encodingFocus: number;
  onChange: (value: ImportChoices) => void;
}

/** Settings of the rows and, if detection was wrong, of how the file is read. */
export const ReadingSettings = ({ job, value, encodingFocus, onChange }: SettingsProps) => {
  const translate = useTranslate();
  const encoding = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (encodingFocus > 0) encoding.current?.focus();
  }, [encodingFocus]);
  const select = (name: keyof ImportChoices, options: readonly (readonly [string, string])[]) => (
    <Setting label={translate(`imports.${name}`)}>
      {(id) => (
        <select
          id={id}
          className="sl-select"
          ref={name === 'encoding' ? encoding : undefined}
          value={value[name]}
          onChange={({ target }) => onChange({ ...value, [name]: target.value })}
        >
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Setting>
  );
  const { facts } = job;
  const automatic: [string, string] = ['', translate('imports.found_out')];
  return (
    <section className="sl-import-note">
      <h2>{translate('imports.settings_title')}</h2>
      <div className="sl-import-settings">
        {select(
          'mode',
          importModes.map((mode) => [mode, translate(`resources.imports.choices.mode.${mode}`)]),
        )}
        {select('rows', [
          ['all', translate('imports.rows_all')],
          ['good', translate('imports.rows_good')],
        ])}
        {select('empty', [
          ['keep', translate('imports.empty_keep')],
          ['clear', translate('imports.empty_clear')],
        ])}
        {facts &&
          facts.sheets.length > 1 &&
          select(
            'sheet',
            facts.sheets.map((sheet) => [sheet, sheet]),
          )}
        <Setting label={translate('imports.header_row')}>
          {(id) => (
            <input
              id={id}
              type="number"
              min={1}
              max={1000}
              value={value.header_row}
              onChange={({ target }) => onChange({ ...value, header_row: target.value })}
            />
          )}
        </Setting>
        {facts?.kind === 'csv' &&
          select(
            'encoding',
            encodings.map((name) => [name, translate(`imports.encodings.${name}`, { _: name.toUpperCase() })]),
          )}
        {facts?.kind === 'csv' &&
          select(
            'delimiter',
            delimiters.map((delimiter) => [delimiter, delimiter === '\t' ? translate('imports.tab') : delimiter]),
          )}
        {select('date_order', [
          automatic,
          ...dateOrders.map((order): [string, string] => [order, translate(`imports.order_${order}`)]),
        ])}
        {select('decimal', [automatic, [',', '1.234,50'], ['.', '1,234.50']])}
      </div>
    </section>
  );
};

const Setting = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId();
  return (
    <div className="sl-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
};

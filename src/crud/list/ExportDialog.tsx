import { type SortPayload, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { type FileFormat, fileFormats } from '../../../schema/shared/files';
import type { Widths } from '../../../schema/shared/widths';
import { downloadWithRowCount } from '../../providers/downloadWithRowCount';
import type { Filters } from '../../providers/filters';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { BulkProgress } from '../bulk/BulkProgress';
import { useCountText } from '../shared/useCountText';
import { useLanguage } from '../shared/useLanguage';
import type { Column } from './columns';
import { exportColumnNames, exportPath, mediaTypes } from './exportPath';

interface ExportDialogProps {
  entity: Entity;
  columns: readonly Column[];
  widths: Widths;
  sort: SortPayload;
  filter: Filters;
  /** Number of rows in the file. */
  count: number;
  onClose: () => void;
}

/**
 * Chooses a file format and downloads the list with progress. Closing the dialog also cancels the work on the server.
 */
export const ExportDialog = ({ entity, columns, widths, sort, filter, count, onClose }: ExportDialogProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const countText = useCountText();
  const language = useLanguage();
  const [format, setFormat] = useState<FileFormat>('csv');
  const [isRaw, setRaw] = useState(false);
  const [loading, setLoading] = useState<{ rows: number; stop: () => void }>();
  const rowsText = (rows: number) => countText(`resources.${entity.name}.counted`, rows);
  const label = (name: string) => translate(`resources.${entity.name}.fields.${name}`);

  const load = async () => {
    const controller = new AbortController();
    const progress = (rows: number) => setLoading({ rows, stop: () => controller.abort() });
    progress(0);
    try {
      const path = exportPath(entity, { format, raw: isRaw, columns, widths, sort, filter, language });
      const rows = await downloadWithRowCount(path, {
        name: `${entity.name}.${format}`,
        type: mediaTypes[format],
        progress,
        signal: controller.signal,
      });
      notify('files.done', { type: 'success', messageArgs: { counted: rowsText(rows) } });
      onClose();
    } catch (error) {
      setLoading(undefined);
      if (!controller.signal.aborted)
        notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  if (loading)
    return (
      <BulkProgress
        title={translate('files.loading', { counted: rowsText(count) })}
        count={loading.rows}
        total={count}
        stop={loading.stop}
      />
    );
  return (
    <Modal title={translate('files.title', { counted: rowsText(count) })} onClose={onClose}>
      <form
        className="sl-many-form"
        onSubmit={(event) => {
          event.preventDefault();
          void load();
        }}
      >
        <fieldset>
          <legend>{translate('files.format')}</legend>
          {fileFormats.map((option) => (
            <label key={option} className="sl-radio">
              <input type="radio" name="format" checked={format === option} onChange={() => setFormat(option)} />
              {option.toUpperCase()}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>{translate('files.content')}</legend>
          {([false, true] as const).map((option) => (
            <label key={String(option)} className="sl-radio">
              <input type="radio" name="content" checked={isRaw === option} onChange={() => setRaw(option)} />
              {translate(option ? 'files.raw' : 'files.shown')}
            </label>
          ))}
        </fieldset>
        <p>
          {translate('files.columns')}:{' '}
          {exportColumnNames(columns, isRaw)
            .map((name) => (isRaw ? name : label(name)))
            .join(', ')}
        </p>
        <DialogActions label={translate('list.export')} onClose={onClose} />
      </form>
    </Modal>
  );
};

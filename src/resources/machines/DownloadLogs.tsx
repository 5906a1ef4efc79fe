import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { type ListQuery, printListQuery } from '../../../schema/dsl/listQuery';
import { type FileFormat, fileFormats, localizedFormat } from '../../../schema/shared/files';
import { mediaTypes } from '../../crud/list/exportPath';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { downloadWithRowCount } from '../../providers/downloadWithRowCount';
import type { MachineRow } from './machineRow';

interface DownloadLogsProps {
  machine: MachineRow;
  filter: ListQuery['filter'];
  /** Number of entries in the file, once known. */
  total: number | undefined;
}

/** Downloads the filtered logs as a spreadsheet, with progress and a stop button. */
export function DownloadLogs({ machine, filter, total }: DownloadLogsProps) {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const [loading, setLoading] = useState<{ rows: number; stop(): void }>();
  if (!can('machines', 'export')) return null;
  const print = (count: number) => formatNumber(count, { language });
  const fetchFile = async (format: FileFormat) => {
    const controller = new AbortController();
    const progress = (rows: number) => setLoading({ rows, stop: () => controller.abort() });
    progress(0);
    const kind = new URLSearchParams(localizedFormat(format, language));
    const path = `machines/${machine.id}/logs/export?${kind}&${printListQuery({ filter })}`;
    await downloadWithRowCount(path, {
      name: `${machine.serial_number}.${format}`,
      type: mediaTypes[format],
      progress,
      signal: controller.signal,
    }).then(
      () => notify('toasts.downloaded', { type: 'success' }),
      (error: Error) => {
        if (!controller.signal.aborted) notify(error.message, { type: 'error' });
      },
    );
    setLoading(undefined);
  };
  return (
    <div className="sl-machine-buttons">
      {fileFormats.map((format) => (
        <button
          key={format}
          type="button"
          className="sl-button"
          disabled={loading !== undefined}
          onClick={() => void fetchFile(format)}
        >
          {translate('machine.download_logs')} ({format})
        </button>
      ))}
      {loading && (
        <>
          <button type="button" className="sl-button" onClick={loading.stop}>
            {translate('ra.action.cancel')}
          </button>
          <span role="status" className="sl-numeral">
            {total !== undefined &&
              translate('many.progress', { done: print(Math.min(loading.rows, total)), total: print(total) })}
          </span>
        </>
      )}
    </div>
  );
}

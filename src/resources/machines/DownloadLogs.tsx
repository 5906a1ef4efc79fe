import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { type ListQuery, printListQuery } from '../../../schema/dsl/query';
import { formatSize } from '../../i18n/format';
import { can } from '../../providers/auth';
import { download } from '../../providers/http';
import { useLanguage } from '../language';
import type { MachineRow } from './machine';

const formats = ['csv', 'xlsx'] as const;
type Format = (typeof formats)[number];

/** The logs that the filter finds as a spreadsheet file; how much of it has come is said while it comes. */
export function DownloadLogs({ machine, filter }: { machine: MachineRow; filter: ListQuery['filter'] }) {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const [loading, setLoading] = useState<{ format: Format; bytes: number }>();
  if (!can('machines', 'export')) return null;
  const fetchFile = async (format: Format) => {
    setLoading({ format, bytes: 0 });
    const path = `machines/${machine.id}/logs/export?format=${format}&${printListQuery({ filter })}`;
    await download(path, `${machine.serial_number}.${format}`, (bytes) => setLoading({ format, bytes })).then(
      () => notify('toasts.downloaded', { type: 'success' }),
      (error: Error) => notify(error.message, { type: 'error' }),
    );
    setLoading(undefined);
  };
  return (
    <div className="sl-machine-buttons">
      {formats.map((format) => (
        <button key={format} type="button" className="sl-button" disabled={loading !== undefined} onClick={() => void fetchFile(format)}>
          {translate('machine.download_logs')} ({format})
        </button>
      ))}
      {loading && <span role="status">{translate('machine.received', { size: formatSize(loading.bytes, language) })}</span>}
    </div>
  );
}

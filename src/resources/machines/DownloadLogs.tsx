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

/** The logs that the filter finds as a spreadsheet file; while it comes it says how much has come, and can be stopped. */
export function DownloadLogs({ machine, filter }: { machine: MachineRow; filter: ListQuery['filter'] }) {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const [loading, setLoading] = useState<{ bytes: number; stop(): void }>();
  if (!can('machines', 'export')) return null;
  const fetchFile = async (format: Format) => {
    const stopping = new AbortController();
    const progress = (bytes: number) => setLoading({ bytes, stop: () => stopping.abort() });
    progress(0);
    const path = `machines/${machine.id}/logs/export?format=${format}&${printListQuery({ filter })}`;
    await download(path, `${machine.serial_number}.${format}`, { progress, signal: stopping.signal }).then(
      () => notify('toasts.downloaded', { type: 'success' }),
      (error: Error) => {
        if (!stopping.signal.aborted) notify(error.message, { type: 'error' });
      },
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
      {loading && (
        <>
          <button type="button" className="sl-button" onClick={loading.stop}>
            {translate('ra.action.cancel')}
          </button>
          <span role="status">{translate('machine.received', { size: formatSize(loading.bytes, language) })}</span>
        </>
      )}
    </div>
  );
}

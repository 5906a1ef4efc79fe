import { useNotify, useTranslate } from 'react-admin';
import { type ListQuery, printListQuery } from '../../../schema/dsl/query';
import { can } from '../../providers/auth';
import { download } from '../../providers/http';
import type { MachineRow } from './machine';

/** The logs that the filter finds as a spreadsheet file. */
export function DownloadLogs({ machine, filter }: { machine: MachineRow; filter: ListQuery['filter'] }) {
  const translate = useTranslate();
  const notify = useNotify();
  if (!can('machines', 'export')) return null;
  const fetchFile = (format: 'csv' | 'xlsx') =>
    download(`machines/${machine.id}/logs/export?format=${format}&${printListQuery({ filter })}`, `${machine.serial_number}.${format}`).then(
      () => notify('toasts.downloaded', { type: 'success' }),
      (error: Error) => notify(error.message, { type: 'error' }),
    );
  return (
    <div className="sl-machine-buttons">
      {(['csv', 'xlsx'] as const).map((format) => (
        <button key={format} type="button" className="sl-button" onClick={() => void fetchFile(format)}>
          {translate('machine.download_logs')} ({format})
        </button>
      ))}
    </div>
  );
}

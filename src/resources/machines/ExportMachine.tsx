import { useNotify, useTranslate } from 'react-admin';
import { can } from '../../providers/auth';
import { download } from '../../providers/http';
import type { MachineRow } from './machine';

/** Downloads this machine as a spreadsheet, with every field the user may see. */
export function ExportMachine({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const notify = useNotify();
  if (!can('machines', 'export')) return null;
  const fetchFile = () =>
    download(`machines/export?format=xlsx&filter[id]=${machine.id}`, `${machine.serial_number}.xlsx`).then(
      () => notify('toasts.downloaded', { type: 'success' }),
      (error: Error) => notify(error.message, { type: 'error' }),
    );
  return (
    <button type="button" className="sl-button" onClick={() => void fetchFile()}>
      {translate('list.export')}
    </button>
  );
}

import { useTranslate } from 'react-admin';
import { useDownload } from '../../crud/shared/useDownload';
import { can } from '../../providers/auth';
import { download } from '../../providers/http';
import { Icon } from '../../ui/Icon';
import type { MachineRow } from './machineRow';

/** Downloads this machine as a spreadsheet with all fields that the user may see. */
export function ExportMachine({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const run = useDownload();
  if (!can('machines', 'export')) return null;
  const fetchFile = () =>
    run(() => download(`machines/export?format=xlsx&filter[id]=${machine.id}`, `${machine.serial_number}.xlsx`));
  return (
    <button type="button" className="sl-button" onClick={() => void fetchFile()}>
      <Icon name="download" size={16} />
      {translate('list.export')}
    </button>
  );
}

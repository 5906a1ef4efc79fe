/** Renderers of service entry fields: the file name is a download link. */
import type { DisplayProps } from '../../crud/fields/renderers';
import { useDownload } from '../../crud/shared/useDownload';
import { formatSize } from '../../i18n/format';
import { download } from '../../providers/http';

export const serviceEntryRenderers = {
  file_name: ({ value, record }: DisplayProps) => <EntryFile id={Number(record.id)} name={String(value)} />,
  file_size: ({ value, language }: DisplayProps) => (
    <span className="sl-numeral">{formatSize(Number(value), language)}</span>
  ),
};

/** Download link of an entry's file. */
export function EntryFile({ id, name }: { id: number; name: string }) {
  const run = useDownload();
  const fetchFile = () => run(() => download(`service_entries/${id}/file`, name));
  return (
    <button type="button" className="sl-text-link" onClick={() => void fetchFile()}>
      {name}
    </button>
  );
}

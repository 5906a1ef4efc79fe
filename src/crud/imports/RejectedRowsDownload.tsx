import { useTranslate } from 'react-admin';
import { localizedFormat } from '../../../schema/shared/files';
import { download } from '../../providers/http';
import { Icon } from '../../ui/Icon';
import { useDownload } from '../shared/useDownload';
import { useLanguage } from '../shared/useLanguage';
import type { Import } from './import';

/** Downloads the invalid rows as a file, to be corrected and imported again. */
export const RejectedRowsDownload = ({ job }: { job: Import }) => {
  const translate = useTranslate();
  const run = useDownload();
  const language = useLanguage();
  const format = job.facts?.kind === 'csv' ? 'csv' : 'xlsx';
  const load = () =>
    run(() =>
      download(
        `imports/${job.id}/rejected?${new URLSearchParams(localizedFormat(format, language))}`,
        `rejected.${format}`,
      ),
    );
  return (
    <button type="button" className="sl-button" onClick={() => void load()}>
      <Icon name="download" size={16} />
      {translate('imports.rejected')}
    </button>
  );
};

import { useTranslate } from 'react-admin';
import { Icon } from '../../ui/Icon';
import type { Import } from './import';

/** The encoding of a CSV file, with a button to change it. Renders nothing for Unicode, which is detected reliably. */
export const DetectedEncoding = ({ job: { facts }, onChoose }: { job: Import; onChoose: () => void }) => {
  const translate = useTranslate();
  if (facts?.kind !== 'csv' || !facts.encoding || facts.encoding.startsWith('utf')) return null;
  return (
    <p className="sl-import-hint">
      <Icon name="information" size={16} />
      <span>{translate('imports.read_as', { encoding: translate(`imports.encodings.${facts.encoding}`) })}</span>
      <button type="button" className="sl-text-button" onClick={onChoose}>
        {translate('imports.other_encoding')}
      </button>
    </p>
  );
};

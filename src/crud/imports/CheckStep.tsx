import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { type RowAction, rowActions } from '../../../schema/shared/imports';
import { formatNumber } from '../../i18n/format';
import { Icon } from '../../ui/Icon';
import { useCountText } from '../shared/useCountText';
import { useLanguage } from '../shared/useLanguage';
import { DetectedEncoding } from './DetectedEncoding';
import { type Import, useImportSteps } from './import';
import { MissingNames } from './MissingNames';
import { RejectedRowsDownload } from './RejectedRowsDownload';
import { RowsTable } from './RowsTable';

/** Results of the dry run, row by row, before anything is written. Cells can be corrected in place. */
export const CheckStep = ({
  job,
  onColumns,
  onEncoding,
}: {
  job: Import;
  onColumns: () => void;
  onEncoding: () => void;
}) => {
  const translate = useTranslate();
  const language = useLanguage();
  const countText = useCountText();
  const notify = useNotify();
  const { runStep } = useImportSteps(job.id);
  const { counts, facts } = job;
  const [selectedAction, setSelectedAction] = useState<RowAction | undefined>(counts.error > 0 ? 'error' : undefined);
  // Shows all rows again once no row of the selected kind is left.
  const action = selectedAction && counts[selectedAction] > 0 ? selectedAction : undefined;
  const [isSending, setSending] = useState(false);
  const requestStep = async (name: 'commit' | 'cancel') => {
    setSending(true);
    try {
      await runStep(name);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
      setSending(false);
    }
  };
  const rowCount = rowActions.reduce((sum, name) => sum + counts[name], 0);
  const writes = counts.create + counts.update;
  const isBlocked = counts.error > 0 && job.settings.rows === 'all';
  const tab = (value: RowAction | undefined, label: string, count: number) => (
    <button
      key={label}
      type="button"
      className="sl-chip"
      aria-pressed={action === value}
      data-action={value}
      disabled={value !== undefined && count === 0}
      onClick={() => setSelectedAction(value)}
    >
      {label} <span className="sl-numeral">{formatNumber(count, { language })}</span>
    </button>
  );
  return (
    <>
      <fieldset className="sl-import-tabs" aria-label={translate('imports.rows_title')}>
        {tab(undefined, translate('imports.all'), rowCount)}
        {rowActions.map((name) => tab(name, translate(`imports.action_${name}`), counts[name]))}
      </fieldset>
      {(facts?.formulas ?? 0) > 0 && (
        <p className="sl-import-hint">
          <Icon name="information" size={16} />
          <span>{translate('imports.formulas', { smart_count: facts?.formulas })}</span>
        </p>
      )}
      <DetectedEncoding job={job} onChoose={onEncoding} />
      <MissingNames job={job} />
      <RowsTable key={action} job={job} action={action} />
      <div className="sl-import-bar">
        <p role="status">
          {isBlocked
            ? translate('imports.blocked')
            : writes === 0
              ? translate('imports.nothing')
              : translate('imports.ready')}
        </p>
        <div className="sl-buttons">
          <button type="button" className="sl-button" disabled={isSending} onClick={() => void requestStep('cancel')}>
            {translate('imports.cancel')}
          </button>
          {counts.error > 0 && <RejectedRowsDownload job={job} />}
          <button type="button" className="sl-button" disabled={isSending} onClick={onColumns}>
            {translate('imports.back_to_columns')}
          </button>
          <button
            type="button"
            className="sl-button sl-button-primary"
            disabled={isSending || isBlocked || writes === 0}
            onClick={() => void requestStep('commit')}
          >
            {writes === 0 ? translate('imports.commit_none') : countText('imports.commit', writes)}
          </button>
        </div>
      </div>
    </>
  );
};

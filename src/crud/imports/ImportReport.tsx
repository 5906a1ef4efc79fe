import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { rowActions } from '../../../schema/shared/imports';
import { formatNumber } from '../../i18n/format';
import { errorMessage } from '../../providers/errorMessage';
import { useConfirm } from '../../ui/ConfirmProvider';
import { Icon, type IconName } from '../../ui/Icon';
import { ProblemText } from '../../ui/ProblemText';
import { useLanguage } from '../shared/useLanguage';
import { type Import, useImportSteps } from './import';
import { RejectedRowsDownload } from './RejectedRowsDownload';
import { RowsTable } from './RowsTable';

const icons: Partial<Record<Import['state'], IconName>> = { done: 'success', failed: 'error' };

/** Result of an import, with its undo. */
export const ImportReport = ({ job, onColumns }: { job: Import; onColumns: () => void }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const client = useQueryClient();
  const { counts, state, resource } = job;
  // Lists that were loaded before lack the new rows.
  useEffect(() => {
    if (state === 'done' || state === 'undone') void client.invalidateQueries({ queryKey: [resource] });
  }, [client, state, resource]);
  return (
    <>
      <section className="sl-import-report" data-state={state}>
        <h2>
          <Icon name={icons[state] ?? 'information'} size={24} />
          {translate(`imports.report_${state}`)}
        </h2>
        {job.problem && <p>{job.problem}</p>}
        {!job.problem && state !== 'cancelled' && (
          <dl>
            {rowActions.map((action) => (
              <div key={action}>
                <dt>{translate(`imports.action_${action}`)}</dt>
                <dd className="sl-numeral">{formatNumber(counts[action], { language })}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="sl-buttons">
          <Link className="sl-button sl-button-primary" to={`/${resource}`}>
            {translate('imports.to_list', { name: translate(`resources.${resource}.plural`) })}
          </Link>
          <Link className="sl-button" to={`/${resource}/import`}>
            {translate('imports.another')}
          </Link>
          {state === 'failed' && job.columns.length > 0 && (
            <button type="button" className="sl-button" onClick={onColumns}>
              {translate('imports.back_to_columns')}
            </button>
          )}
          {counts.error > 0 && !job.problem && <RejectedRowsDownload job={job} />}
          {state === 'done' && counts.create + counts.update > 0 && <Undo job={job} />}
        </div>
      </section>
      {(!job.problem || counts.error > 0) && <RowsTable job={job} action={undefined} />}
    </>
  );
};

/** Undoes the import, unless one of its rows has been changed since. */
const Undo = ({ job }: { job: Import }) => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const { runStep } = useImportSteps(job.id);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const undo = async () => {
    const isConfirmed = await confirm({
      title: translate('imports.undo_title'),
      description: translate('imports.undo_text'),
      button: translate('imports.undo'),
    });
    if (!isConfirmed) return;
    setSending(true);
    setProblem('');
    try {
      await runStep('undo');
    } catch (error) {
      const rows =
        error instanceof HttpError ? ((error.body as { rows?: { row: number }[] } | undefined)?.rows ?? []) : [];
      const rowNumbers = rows
        .slice(0, 20)
        .map(({ row }) => row)
        .join(', ');
      const rowList = rowNumbers ? ` (${translate('imports.row')}: ${rowNumbers})` : '';
      setProblem(`${error instanceof Error ? errorMessage(error, translate) : ''}${rowList}`);
      setSending(false);
    }
  };
  return (
    <>
      <button type="button" className="sl-button" disabled={isSending} onClick={() => void undo()}>
        <Icon name="restore" size={16} />
        {translate('imports.undo')}
      </button>
      <ProblemText>{problem}</ProblemText>
    </>
  );
};

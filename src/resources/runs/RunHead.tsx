import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { usePathOf } from '../../crud/shared/paths';
import { fetchRows } from '../../providers/rows';
import { Icon } from '../../ui/Icon';
import type { RunRow } from './runRow';

/** The source of a run, up to five runs that it supersedes, and the run that supersedes it, if any. */
export function RunHead({ run }: { run: RunRow }) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const { data: superseded } = useQuery({
    queryKey: ['runs', 'superseded', run.id, run.updated_at],
    queryFn: ({ signal }) =>
      fetchRows('runs', {
        fields: ['id', 'summary', 'source'],
        filter: [{ path: 'superseded_by', values: [String(run.id)] }],
        per_page: 5,
        signal,
      }),
    enabled: run.source !== 'derived',
  });
  return (
    <>
      <p className="sl-run-source">
        {translate(`plan.source.${run.source}`)}
        {superseded?.data.map(({ id, summary, source }) => (
          <span key={id}>
            {' · '}
            {translate(`plan.source.${source}`)}: <Link to={pathOf('runs', id)}>{summary}</Link>
          </span>
        ))}
      </p>
      {run.superseded_by !== null && (
        <p className="sl-run-superseded" role="status">
          <Icon name="information" size={16} />
          {translate('plan.superseded')}
          <Link to={pathOf('runs', run.superseded_by)}>{translate('plan.superseded_by')}</Link>
        </p>
      )}
    </>
  );
}

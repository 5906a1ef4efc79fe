import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { usePathOf } from '../../crud/shared/paths';
import { Icon } from '../../ui/Icon';
import type { RunRow } from './runRow';

/** Who says so; and which run counts instead, if another does. */
export function RunHead({ run }: { run: RunRow }) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  return (
    <>
      <p className="sl-run-source">{translate(`plan.source.${run.source}`)}</p>
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

import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import type { ReportLine } from '../../../schema/features/reports';
import { PlanPicture } from '../../map/plan/PlanPicture';
import { useFloorPlan } from '../../map/plan/useFloorPlan';
import { call } from '../../providers/call';

/** Maximum pictures per page of the report; a sheet of paper holds two rows of three. */
const maxPictures = 12;

/** Plans with the coverage of the first runs of the report. Runs without a known path have no picture. */
export function RunPictures({ lines }: { lines: readonly ReportLine[] }) {
  const translate = useTranslate();
  const runs = lines.filter(({ level }) => level === 'run').slice(0, maxPictures);
  return (
    <section className="sl-run-pictures" aria-label={translate('reports.columns.coverage')}>
      {runs.map(({ id, name }) => id !== null && <RunPicture key={id} id={id} name={name ?? ''} />)}
    </section>
  );
}

function RunPicture({ id, name }: { id: number; name: string }) {
  const { data } = useQuery({
    queryKey: ['runs', 'coverage', id],
    queryFn: ({ signal }) => call('GET /runs/{id}/coverage', { params: { id }, signal }).then(({ data }) => data),
  });
  const { data: plan } = useFloorPlan(data?.image ? data.floor_id : null);
  if (!data?.image) return null;
  return (
    <figure>
      {plan ? (
        <PlanPicture label={plan.floor.name} {...plan} coverage={data} legs={[]} marks={[]} />
      ) : (
        <img src={data.image} alt="" />
      )}
      <figcaption>{name}</figcaption>
    </figure>
  );
}

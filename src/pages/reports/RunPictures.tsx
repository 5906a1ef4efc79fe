import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import type { ReportLine } from '../../../schema/features/reports';
import { call } from '../../providers/call';

/** Pictures of a page of the report: on paper two rows of three fit. */
const maxPictures = 12;

/** What the first runs of the report covered; runs without a known path have no picture. */
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
  if (!data?.image) return null;
  return (
    <figure>
      <img src={data.image} alt="" />
      <figcaption>{name}</figcaption>
    </figure>
  );
}

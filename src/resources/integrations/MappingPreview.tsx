import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { MessageMapping } from '../../../schema/dsl/messageMapping';
import type { EndpointResponse } from '../../../schema/endpoints';
import { runs } from '../../../schema/entities/runs';
import { FieldDisplay } from '../../crud/fields/FieldDisplay';
import { usePathOf } from '../../crud/shared/paths';
import { call } from '../../providers/call';
import { useKindLabel, useTargetLabel } from './useTargetLabel';

type Preview = EndpointResponse<'POST /integrations/{id}/preview'>['data'];

/** Runs and states that the current mapping reads from the example, even if the mapping is not saved yet. */
export function MappingPreview({ id, message, mapping }: { id: number; message: string; mapping: MessageMapping }) {
  const translate = useTranslate();
  const preview = useQuery({
    queryKey: ['integrations', 'preview', id, message, mapping],
    queryFn: ({ signal }) =>
      call('POST /integrations/{id}/preview', { params: { id }, body: { message, mapping }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { items = [], ignored = 0, problems = [] } = preview.data?.data ?? {};
  const shownProblems = preview.error ? [preview.error.message] : problems;
  return (
    <section className="sl-section sl-mapping-preview" aria-labelledby="mapping-preview" aria-live="polite">
      <h2 id="mapping-preview">{translate('integrations.preview')}</h2>
      <Problems problems={shownProblems} />
      {ignored > 0 && <p>{translate('integrations.preview_ignored', { smart_count: ignored })}</p>}
      {!preview.error && items.map((item) => <PreviewItem key={`${item.kind} ${item.index}`} item={item} />)}
    </section>
  );
}

function PreviewItem({ item }: { item: Preview['items'][number] }) {
  const translate = useTranslate();
  const targetLabel = useTargetLabel();
  const kindLabel = useKindLabel();
  const pathOf = usePathOf();
  const { kind, machine, serial, values, problems } = item;
  return (
    <article data-fits={problems.length === 0}>
      <h3>
        {kindLabel(kind)}{' '}
        {machine ? (
          <Link to={pathOf('machines', machine.id)}>{machine.serial_number}</Link>
        ) : (
          serial && <code>{serial}</code>
        )}
      </h3>
      {problems.length === 0 ? <p>{translate('integrations.preview_fits')}</p> : <Problems problems={problems} />}
      <dl className="sl-values">
        {Object.keys(values).map((field) => (
          <div key={field}>
            <dt>{targetLabel({ kind, part: 'field', field })}</dt>
            <dd>
              {kind === 'runs' && Object.hasOwn(runs.fields, field) ? (
                <FieldDisplay entity={runs} source={field as keyof typeof runs.fields} record={values} />
              ) : (
                String(values[field])
              )}
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

const Problems = ({ problems }: { problems: readonly string[] }) =>
  problems.length > 0 && (
    <ul className="sl-integration-problems">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );

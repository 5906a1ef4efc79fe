import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { formatNumber } from '../../i18n/format';
import { type BulkTarget, previewBulk } from '../../providers/bulk';
import { useLanguage } from '../shared/useLanguage';
import './bulk.css';

interface TallyTableProps {
  entity: Entity;
  target: BulkTarget;
  /** The field to count by. */
  by: string;
  /** The new value of all rows. */
  newValue?: number;
}

/** Counts the selected rows by their current value of the field `by`. */
export const TallyTable = ({ entity, target, by, newValue }: TallyTableProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: [entity.name, 'tally', by, target.filter ?? target.ids],
    queryFn: () => previewBulk(entity, target, by),
  });
  const label = translate('many.from');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="sl-tally" tabIndex={0} aria-label={label} aria-busy={!data}>
      <table>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">{translate(`resources.${entity.name}.plural`)}</th>
          </tr>
        </thead>
        <tbody>
          {data?.data.map(({ value, label: name, count }) => (
            <tr key={value}>
              <th scope="row">
                {value === null ? translate('facets.without') : (name ?? translate('access.hidden'))}
                {value !== null && value === newValue && <small>{translate('many.already')}</small>}
              </th>
              <td>{formatNumber(count, { language })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import { serviceEntries } from '../../../schema/entities/service_entries';
import { usePathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDate, formatDuration, formatMoney } from '../../i18n/format';
import { can } from '../../providers/auth';
import { Icon } from '../../ui/Icon';
import { EntryFile } from '../service/renderers';
import { AddServiceEntry } from './AddServiceEntry';
import type { MachineRow } from './machineRow';

const maxEntries = 50;
type Entry = Omit<Row<typeof serviceEntries>, 'cost'> & { cost?: string | null };

/** The machine's service entries, newest first, with a form for adding one. */
export function ServiceHistory({ machine }: { machine: MachineRow }) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const [isAdding, setAdding] = useState(false);
  const {
    data = [],
    total = 0,
    isPending,
    isError,
  } = useGetList<Entry>(serviceEntries.name, {
    filter: { machine_id: machine.id },
    sort: { field: 'date', order: 'DESC' },
    pagination: { page: 1, perPage: maxEntries },
  });
  const allFilter = encodeURIComponent(JSON.stringify({ machine_id: machine.id }));
  return (
    <section className="sl-section" aria-busy={isPending}>
      <h2>{translate('service.history')}</h2>
      {can(serviceEntries.name, 'create') && !isAdding && (
        <button type="button" className="sl-button sl-button-primary sl-service__add" onClick={() => setAdding(true)}>
          <Icon name="plus" size={18} />
          {translate('resources.service_entries.add')}
        </button>
      )}
      {isAdding && <AddServiceEntry machine={machine} onClose={() => setAdding(false)} />}
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {!isPending && !isError && data.length === 0 && <p className="sl-machine-count">{translate('service.empty')}</p>}
      <ul className="sl-service__entries">
        {data.map((entry) => (
          <EntryItem key={entry.id} entry={entry} />
        ))}
      </ul>
      {total > maxEntries && (
        <Link to={`${pathOf(serviceEntries.name)}?filter=${allFilter}`}>{translate('service.all')}</Link>
      )}
    </section>
  );
}

function EntryItem({ entry }: { entry: Entry }) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const language = useLanguage();
  const hasWorked = (entry.operating_time ?? 0) > 0;
  return (
    <li>
      <Link to={pathOf(serviceEntries.name, entry.id)}>
        <time dateTime={entry.date}>{formatDate(entry.date)}</time> ·{' '}
        {translate(`resources.service_entries.choices.kind.${entry.kind}`)}
      </Link>
      {entry.cost && <span className="sl-service__cost">{formatMoney(entry.cost, language)}</span>}
      {entry.note && <p className="sl-longtext">{entry.note}</p>}
      {(hasWorked || entry.file_name) && (
        <p className="sl-service__small">
          {hasWorked && (
            <span>{translate('service.at_hours', { time: formatDuration(entry.operating_time ?? 0, language) })}</span>
          )}
          {entry.file_name && <EntryFile id={entry.id} name={entry.file_name} />}
        </p>
      )}
    </li>
  );
}

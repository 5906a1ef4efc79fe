import { type RaRecord, useListContext, useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/Icon';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { FieldDisplay } from '../fields/FieldDisplay';
import { isEditable, titleOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { useLanguage } from '../shared/useLanguage';
import type { Column } from './columns';
import { HeadUnit } from './HeadCell';
import { LazyBinButtons } from './LazyBinButtons';
import { Identity } from './ListRow';
import { type RowsProps, rowNumbers } from './Table';

/**
 * The rows of a page as cards, for phones: identity, state, up to four other values, and one action per row, which
 * opens the details in a sheet or, in a list without sheet, the form.
 */
export const Cards = ({ entity, columns, selection, loadingReason, peek }: RowsProps) => {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const language = useLanguage();
  const { data, perPage, filterValues } = useListContext<RaRecord>();
  const [identity, ...others] = columns.visible;
  const markField = others.find(({ field }) => field.kind === 'choice');
  const valueColumns = sortByRank(
    others.filter((column) => column !== markField && !entity.titles.includes(column.name)),
  ).slice(0, 4);
  const isBin = filterValues.trashed === 'only';
  if (!identity) return null;
  return (
    <div className="sl-table-area" aria-busy={loadingReason !== undefined}>
      <ul className="sl-row-cards" data-dimmed={loadingReason !== undefined && data !== undefined}>
        {!data &&
          rowNumbers(Math.min(perPage, 5)).map((number) => (
            <li key={number} className="sl-row-card sl-row-card-empty" aria-hidden="true" />
          ))}
        {data?.map((record) => {
          const name = titleOf(entity, record, language);
          return (
            <li
              key={record.id}
              className="sl-row-card"
              data-chosen={selection?.has(record.id) ?? false}
              aria-current={record.id === peek?.id || undefined}
            >
              <div className="sl-row-card-head">
                {selection && (
                  <label className="sl-tick">
                    <input
                      type="checkbox"
                      aria-label={translate('list.select_row', { name })}
                      checked={selection.has(record.id)}
                      onChange={() => selection.toggle(record.id)}
                    />
                  </label>
                )}
                <Identity
                  entity={entity}
                  record={record}
                  source={identity.name}
                  picture={columns.picture}
                  open={!isBin}
                  full
                />
                {markField && <FieldDisplay entity={entity} source={markField.name} record={record} cell />}
              </div>
              <dl>
                {valueColumns.map((column) => (
                  <div key={column.name}>
                    <dt>
                      {translate(`resources.${entity.name}.fields.${column.name}`)} <HeadUnit column={column} />
                    </dt>
                    <dd>
                      <FieldDisplay entity={entity} source={column.name} record={record} cell />
                    </dd>
                  </div>
                ))}
              </dl>
              {isBin && <LazyBinButtons entity={entity} record={record} />}
              {!isBin && (peek || isEditable(entity)) && (
                <div className="sl-row-card-action">
                  {peek ? (
                    <button
                      type="button"
                      className="sl-button sl-button-small"
                      data-id={record.id}
                      aria-label={`${translate('record.details')}: ${name}`}
                      aria-expanded={record.id === peek.id}
                      onClick={() => (record.id === peek.id ? peek.close() : peek.open(record.id))}
                    >
                      <Icon name="show" size={16} />
                      {translate('record.details')}
                    </button>
                  ) : (
                    <Link
                      className="sl-button sl-button-small"
                      to={pathOf(entity.name, record.id, 'edit')}
                      aria-label={`${translate('record.edit')}: ${name}`}
                    >
                      <Icon name="edit" size={16} />
                      {translate('record.edit')}
                    </Link>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {loadingReason && <LoadingNotice what={loadingReason} />}
    </div>
  );
};

/** Filtered columns first, then references and cities, then everything else. */
const sortByRank = (columns: readonly Column[]): Column[] => [...columns].sort((a, b) => rank(a) - rank(b));
const rank = ({ isFiltered, field, name }: Column) =>
  isFiltered ? 0 : field.kind === 'ref' || name === 'city' ? 1 : 2;

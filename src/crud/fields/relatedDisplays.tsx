import type { RaRecord } from 'ra-core';
import { useGetManyAggregate, useTranslate } from 'ra-core';
import type { Language } from '../../../schema/shared/languages';
import { formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { PathLink } from '../../ui/PathLink';
import { findEntity, relatedOf, titleOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import type { DisplayProps } from './renderers';

/** A link to the referenced row. */
export const ReferenceDisplay = (props: DisplayProps) => {
  const [related] = relatedOf(props.source, props.field, props.record) ?? [];
  if (related && related.id === props.value)
    return <RowLink to={props.field.to as string} row={related} language={props.language} cell={props.cell} />;
  return <FetchedRows {...props} ids={[props.value as number]} />;
};

/** Links to the referenced rows. A cell shows two, counts the others and names them on hover. */
export const ReferencesDisplay = (props: DisplayProps) => {
  const related = relatedOf(props.source, props.field, props.record);
  return related ? <RowLinks {...props} rows={related} /> : <FetchedRows {...props} ids={props.value as number[]} />;
};

/** Number of rows that reference this one, as a link to their list. */
export const CountDisplay = ({ field, value, record, language }: DisplayProps) => {
  const pathOf = usePathOf();
  const number = <span className="sl-numeral">{formatNumber(Number(value), { language })}</span>;
  const { to, back } = field;
  // No link for narrowed relations: no list filter matches exactly these rows.
  if (!to || !back || field.narrowed || !can(to, 'list')) return number;
  return <PathLink to={filteredPath(pathOf(to), backPath(to, back), record.id)}>{number}</PathLink>;
};

/** Filter path of the rows that reference a row: `back`, or the link field if `back` is the id of its rows. */
function backPath(to: string, back: string): string {
  const linkField = Object.entries(findEntity(to)?.fields ?? {}).find(
    ([, field]) => field.kind === 'refs' && back === `${field.to}.id`,
  );
  return linkField?.[0] ?? back;
}

/** Address of a list with one filter. */
const filteredPath = (list: string, path: string, value: unknown): string =>
  `${list}?${new URLSearchParams({ filter: JSON.stringify({ [path]: value }) })}`;

/** Fetches the rows and links to them. If the user may not list them, shows a dash and sends no request. */
const FetchedRows = (props: DisplayProps & { ids: number[] }) => {
  const to = props.field.to as string;
  const isListable = can(to, 'list');
  const { data, isPending } = useGetManyAggregate<RaRecord>(to, { ids: props.ids }, { enabled: isListable });
  const rows = data?.filter(Boolean) ?? [];
  if (isListable && isPending) return <span className="sl-skeleton" aria-hidden="true" />;
  return rows.length > 0 ? <RowLinks {...props} rows={rows} /> : <span className="sl-nothing">–</span>;
};

const RowLinks = ({ rows, field, cell, language }: DisplayProps & { rows: RaRecord[] }) => {
  const translate = useTranslate();
  const target = findEntity(field.to);
  const visibleRows = cell ? rows.slice(0, 2) : rows;
  const allTitles =
    visibleRows.length < rows.length ? rows.map((row) => titleOf(target, row, language)).join(', ') : undefined;
  return (
    <span className="sl-links" title={allTitles}>
      {visibleRows.map((row) => (
        <RowLink key={row.id} to={field.to as string} row={row} language={language} cell={cell} />
      ))}
      {allTitles && (
        <span className="sl-more">{translate('list.more_values', { count: rows.length - visibleRows.length })}</span>
      )}
    </span>
  );
};

/**
 * A link with the row's title. A cell shows only the main part if it identifies the row, and the whole title on hover.
 */
const RowLink = ({ to, row, language, cell }: { to: string; row: RaRecord; language: Language; cell: boolean }) => {
  const target = findEntity(to);
  const pathOf = usePathOf();
  const title = titleOf(target, row, language);
  const visibleTitle =
    cell && target && target.titles.length > 1 && target.titles[0] === target.title
      ? String(row[target.title] ?? title)
      : title;
  const text = (
    <>
      {to === 'fleets' && typeof row.color === 'string' && (
        <span className="sl-swatch" style={{ background: row.color }} aria-hidden="true" />
      )}
      {visibleTitle}
    </>
  );
  if (!can(to, 'show')) return <span title={title}>{text}</span>;
  return (
    <PathLink className="sl-link" to={pathOf(to, row.id)} title={title}>
      {text}
    </PathLink>
  );
};

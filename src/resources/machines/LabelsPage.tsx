import { type RaRecord, useGetList, useTranslate } from 'ra-core';
import { type CSSProperties, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import type { Filters } from '../../providers/filters';
import { useServerConfig } from '../../providers/useServerConfig';
import { FormField } from '../../ui/FormField';
import { FormSelect } from '../../ui/FormSelect';
import { Icon } from '../../ui/Icon';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { PageHead } from '../../ui/PageHead';
import { Label } from './Label';
import './labels.css';
import {
  customLabelFormat,
  type FormatName,
  type LabelFormat,
  labelFormats,
  labelPositions,
  minLabelSize,
} from './sheets';

const customFormat = 'own';
const maxLabels = 1000;

/**
 * Print preview of label sheets with QR codes, for the machines named in the URL (`?ids=1,2`) or all that match a
 * filter (`?filter={...}`). Shows up to a thousand machines at a time.
 */
export const LabelsPage = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const { search } = useLocation();
  const filter = useMemo(() => filterIn(new URLSearchParams(search)), [search]);
  const [pageNumber, setPageNumber] = useState(1);
  const { data, total, error, refetch } = useGetList<RaRecord>(
    'machines',
    {
      filter,
      pagination: { page: pageNumber, perPage: maxLabels },
      sort: { field: 'serial_number', order: 'ASC' },
      meta: { include: ['type', 'location'] },
    },
    { enabled: filter !== undefined },
  );
  const isReady = useServerConfig() !== undefined;
  const pageCount = Math.ceil((total ?? 0) / maxLabels);
  const [name, setName] = useState<FormatName | typeof customFormat>('63.5 × 38.1');
  const [width, setWidth] = useState('60');
  const [height, setHeight] = useState('30');
  const [start, setStart] = useState('1');
  const format: LabelFormat | undefined =
    name === customFormat ? customLabelFormat(Number(width), Number(height)) : labelFormats[name];
  const rows = filter === undefined ? [] : data;
  const sheets = format && rows ? labelPositions(format, rows.length, Number(start)) : [];
  let nextPosition = 0;
  return (
    <>
      <PageHead
        title={translate('labels.title')}
        count={rows && translate('labels.count', { smart_count: total ?? 0 })}
        primary={
          <button
            type="button"
            className="sl-button sl-button-primary"
            disabled={sheets.length === 0 || !isReady}
            onClick={() => window.print()}
          >
            <Icon name="print" size={16} />
            {translate('labels.print')}
          </button>
        }
        crumbs={[{ headerName: 'resources.machines.plural', link: '/machines' }, { headerName: 'labels.title' }]}
      />
      <form className="sl-label-choices" onSubmit={(event) => event.preventDefault()}>
        <FormSelect
          label={translate('labels.format')}
          value={name}
          onChange={({ target }) => setName(target.value as typeof name)}
        >
          {Object.entries(labelFormats).map(([size, { columns, rows: rowCount }]) => (
            <option key={size} value={size}>
              {translate('labels.size', {
                size: size.replace(/[\d.]+/g, (length) => formatNumber(Number(length), { language })),
                smart_count: columns * rowCount,
              })}
            </option>
          ))}
          <option value={customFormat}>{translate('labels.own')}</option>
        </FormSelect>
        {name === customFormat && (
          <>
            <FormField
              type="number"
              label={translate('labels.width')}
              min={minLabelSize}
              step="0.1"
              value={width}
              onChange={({ target }) => setWidth(target.value)}
            />
            <FormField
              type="number"
              label={translate('labels.height')}
              min={minLabelSize}
              step="0.1"
              value={height}
              onChange={({ target }) => setHeight(target.value)}
            />
          </>
        )}
        <FormField
          type="number"
          label={translate('labels.start')}
          min={1}
          max={format ? format.columns * format.rows : 1}
          value={start}
          onChange={({ target }) => setStart(target.value)}
        />
        {pageCount > 1 && (
          <FormSelect
            label={translate('labels.part')}
            value={pageNumber}
            onChange={({ target }) => setPageNumber(Number(target.value))}
          >
            {Array.from({ length: pageCount }, (_, index) => index + 1).map((partNumber) => (
              <option key={partNumber} value={partNumber}>
                {translate('list.range', {
                  from: (partNumber - 1) * maxLabels + 1,
                  to: Math.min(partNumber * maxLabels, total ?? 0),
                  total,
                })}
              </option>
            ))}
          </FormSelect>
        )}
      </form>
      <p className="sl-label-help" role="status" data-wrong={!format}>
        {translate(format ? 'labels.help' : 'labels.too_big', { smallest: minLabelSize })}
      </p>
      {error && !data && <LoadFailed title={translate('errors.generic')} error={error} onRetry={refetch} />}
      {filter !== undefined && !data && !error && <LoadingNotice what="data" />}
      {rows?.length === 0 && <p>{translate('labels.none')}</p>}
      <div className="sl-sheets">
        {sheets.map((positions) => (
          <section key={nextPosition} className="sl-sheet">
            {positions.map(({ x, y }) => {
              const machine = rows?.[nextPosition] as RaRecord;
              nextPosition += 1;
              const box = {
                left: `${x}mm`,
                top: `${y}mm`,
                width: `${format?.width}mm`,
                height: `${format?.height}mm`,
              } satisfies CSSProperties;
              return (
                <Label
                  key={machine.id}
                  machine={machine}
                  box={box}
                  size={Math.min((format?.height ?? 0) - 4, (format?.width ?? 0) * 0.45)}
                />
              );
            })}
          </section>
        ))}
      </div>
    </>
  );
};

/** The filter in the URL; `undefined` if there is none. */
function filterIn(search: URLSearchParams): Filters | undefined {
  const ids = (search.get('ids') ?? '').split(',').filter((id) => /^\d+$/.test(id));
  if (ids.length > 0) return { id: ids.map(Number) };
  try {
    const filter: unknown = JSON.parse(search.get('filter') ?? 'null');
    return typeof filter === 'object' && filter !== null && !Array.isArray(filter) ? (filter as Filters) : undefined;
  } catch {
    return undefined;
  }
}

import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import type { ImportColumn, RowAction } from '../../../schema/shared/imports';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { RowPages } from '../../ui/RowPages';
import { type Import, type ImportRow, useImportRows, useImportSteps } from './import';

/** The rows of the file with their imported columns; problems are shown in their cells. */
export const RowsTable = ({ job, action }: { job: Import; action: RowAction | undefined }) => {
  const translate = useTranslate();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useImportRows(job, { action, page });
  if (error && !data)
    return <LoadFailed title={translate('imports.not_loaded')} error={error} onRetry={() => void refetch()} />;
  // Corrected rows leave the list, so that its last page may no longer exist.
  const lastPage = Math.max(1, data?.last_page ?? page);
  if (page > lastPage) setPage(lastPage);
  const columns = job.columns.filter(({ target }) => target !== null);
  const isEditable = job.state === 'checked' || job.state === 'failed';
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="sl-import-rows" aria-label={translate('imports.rows_title')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="sl-numeral">
                {translate('imports.row')}
              </th>
              <th scope="col">{translate('imports.becomes')}</th>
              {columns.map((column) => (
                <th scope="col" key={column.key}>
                  {column.head || column.key}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data?.data.map((row) => (
              <Row key={row.row} job={job} row={row} columns={columns} isEditable={isEditable} />
            ))}
          </tbody>
        </table>
        {!data && <LoadingNotice what="data" />}
        {data?.data.length === 0 && <p className="sl-import-none">{translate('imports.no_rows')}</p>}
      </section>
      {data && data.last_page > 1 && <RowPages page={page} pages={data.last_page} onPage={setPage} />}
    </>
  );
};

interface RowProps {
  job: Import;
  row: ImportRow;
  columns: readonly ImportColumn[];
  isEditable: boolean;
}

const Row = ({ job, row, columns, isEditable }: RowProps) => {
  const translate = useTranslate();
  const names = new Set(columns.map(({ head, key }) => head || key));
  const rowErrors = row.errors.filter(({ column }) => column === null || !names.has(column));
  return (
    <tr data-action={row.action}>
      <th scope="row" className="sl-numeral" data-head={translate('imports.row')}>
        {row.row}
      </th>
      <td>
        <span className="sl-import-action" data-action={row.action}>
          {translate(`imports.action_${row.action}`)}
        </span>
        {rowErrors.map(({ message }) => (
          <p className="sl-field-problem" key={message}>
            {message}
          </p>
        ))}
      </td>
      {columns.map((column) => {
        const errors = row.errors.filter(({ column: name }) => name === (column.head || column.key));
        return (
          <td
            key={column.key}
            data-head={column.head || column.key}
            data-empty={!row.cells[column.key]}
            data-wrong={errors.length > 0}
          >
            {isEditable && row.action === 'error' ? (
              <CellInput key={row.cells[column.key]} job={job} row={row} column={column} />
            ) : (
              <span title={row.cells[column.key]}>{row.cells[column.key] || '–'}</span>
            )}
            {errors.map(({ message }) => (
              <p className="sl-field-problem" key={message}>
                {message}
              </p>
            ))}
          </td>
        );
      })}
    </tr>
  );
};

const CellInput = ({ job, row, column }: { job: Import; row: ImportRow; column: ImportColumn }) => {
  const notify = useNotify();
  const { editCell } = useImportSteps(job.id);
  const initial = row.cells[column.key] ?? '';
  const [value, setValue] = useState(initial);
  const save = () => {
    if (value !== initial)
      editCell(row.row, { [column.key]: value }).catch((error: Error) => notify(error.message, { type: 'error' }));
  };
  return (
    <input
      aria-label={`${column.head || column.key}, ${row.row}`}
      value={value}
      onChange={({ target }) => setValue(target.value)}
      onBlur={save}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  );
};

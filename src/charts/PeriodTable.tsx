import { useTranslate } from 'react-admin';
import { longLabel, type Period } from './period';

interface Column<R> {
  /** React key; default: the head. */
  key?: number;
  head: string;
  cell: (row: R) => string;
  /** Total of all rows, in the foot. */
  total?: string;
}

/** The figures of a chart as a table: a row per day, week or month. */
export function PeriodTable<R extends Period>({
  rows,
  columns,
}: {
  rows: readonly R[];
  columns: readonly Column<R>[];
}) {
  const translate = useTranslate();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{translate('charts.period')}</th>
          {columns.map(({ head, key = head }) => (
            <th key={key} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.from}>
            <th scope="row">{longLabel(row)}</th>
            {columns.map(({ head, key = head, cell }) => (
              <td key={key}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
      {columns.some(({ total }) => total !== undefined) && (
        <tfoot>
          <tr>
            <th scope="row">{translate('machine.total')}</th>
            {columns.map(({ head, key = head, total }) => (
              <td key={key}>{total}</td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

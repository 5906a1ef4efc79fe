import { unparse } from 'papaparse';
import { useTranslate } from 'react-admin';
import { type Figures, modeFields, stateFields, stateOf } from '../../charts/figures';
import { useDownload } from '../../crud/shared/useDownload';
import { formatDate } from '../../i18n/format';
import { saveFile } from '../../providers/http';

/** Saves the displayed figures as a CSV file: times in seconds, days as dd.mm.yyyy. */
export function DownloadStatistics({ rows, name }: { rows: readonly Figures[]; name: string }) {
  const translate = useTranslate();
  const header = [
    translate('machine.from'),
    translate('machine.to'),
    ...stateFields.map((field) => `${translate(`resources.machines.choices.status.${stateOf[field]}`)} (s)`),
    ...modeFields.map((field) => `${translate(`resources.machines.choices.mode.${field}`)} (s)`),
    `${translate('charts.area')} (m²)`,
    `${translate('reports.columns.reported_area_m2')} (m²)`,
    `${translate('machine.distance')} (m)`,
    translate('machine.messages'),
  ];
  const run = useDownload();
  const save = () => {
    const lines = rows.map((row) => [
      formatDate(row.from),
      formatDate(row.to),
      ...[...stateFields, ...modeFields].map((field) => row[field]),
      row.area_m2,
      row.reported_area_m2,
      row.distance_m,
      row.messages,
    ]);
    // The byte order mark tells spreadsheets that the text is UTF-8.
    const file = new Blob([`\ufeff${unparse([header, ...lines])}`], { type: 'text/csv;charset=utf-8' });
    saveFile(file, `${name.replace(/[\\/:*?"<>|]/g, '_')}.csv`);
  };
  return (
    <button type="button" className="sl-button" onClick={() => void run(save)} disabled={rows.length === 0}>
      {translate('machine.download')} (csv)
    </button>
  );
}

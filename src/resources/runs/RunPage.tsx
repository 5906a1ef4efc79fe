import './runs.css';
import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { runs } from '../../../schema/entities/runs';
import { Details } from '../../crud/record/Details';
import { RecordPage } from '../../crud/record/RecordPage';
import { RunHead } from './RunHead';
import { RunTab } from './RunTab';
import type { RunRow } from './runRow';

/** The page of a run: its path and coverage with the figures, and a tab with all fields. */
export function RunPage() {
  const translate = useTranslate();
  return (
    <RecordPage
      entity={runs}
      head={(record) => <RunHead run={rowOf(record)} />}
      details={{
        label: translate('plan.on_plan'),
        element: (record) => <RunTab run={rowOf(record)} record={record} />,
      }}
      tabs={[
        {
          name: 'details',
          label: translate('record.details'),
          element: (record) => <Details entity={runs} record={record} />,
        },
      ]}
    />
  );
}

const rowOf = (record: RaRecord) => record as RunRow;

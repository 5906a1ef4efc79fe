import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { trackers } from '../../../schema/entities/trackers';
import { KeyRules } from '../../crud/dialogs/KeyRules';
import { UnassignTracker } from '../../crud/dialogs/UnassignTracker';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { AssignTracker } from './AssignTracker';
import { NewSecret } from './NewSecret';

/** The page of a tracker, with its secret and its machine. */
export function TrackerPage() {
  return (
    <RecordPage
      entity={trackers}
      actions={(record: RaRecord) => can('trackers', 'edit') && <Actions tracker={record as Row<typeof trackers>} />}
    />
  );
}

function Actions({ tracker }: { tracker: Row<typeof trackers> }) {
  const translate = useTranslate();
  const [isAssigning, setAssigning] = useState(false);
  const [isEditingKeys, setEditingKeys] = useState(false);
  return (
    <>
      <NewSecret tracker={tracker} />
      <button type="button" className="sl-button" onClick={() => setEditingKeys(true)}>
        {translate('trackers.keys')}
      </button>
      {!tracker.assigned && can('machines', 'edit') && (
        <button type="button" className="sl-button" onClick={() => setAssigning(true)}>
          {translate('trackers.assign')}
        </button>
      )}
      {tracker.assigned && can('machines', 'edit') && <UnassignTracker tracker={tracker} />}
      {isEditingKeys && (
        <KeyRules
          resource="trackers"
          id={tracker.id}
          name={tracker.refno}
          rules={tracker.key_rules}
          onClose={() => setEditingKeys(false)}
        />
      )}
      {isAssigning && <AssignTracker tracker={tracker} onClose={() => setAssigning(false)} />}
    </>
  );
}

import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { types } from '../../../schema/entities/types';
import { KeyRules } from '../../crud/dialogs/KeyRules';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';

/** The page of a machine type. Users who may edit both types and trackers get a button for its key rules. */
export const TypePage = () => (
  <RecordPage
    entity={types}
    actions={(record: RaRecord) =>
      can('types', 'edit') && can('trackers', 'edit') && <Keys type={record as Row<typeof types>} />
    }
  />
);

function Keys({ type }: { type: Row<typeof types> }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="sl-button" onClick={() => setOpen(true)}>
        {translate('trackers.keys')}
      </button>
      {isOpen && (
        <KeyRules
          resource="types"
          id={type.id}
          name={type.name}
          rules={type.key_rules}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

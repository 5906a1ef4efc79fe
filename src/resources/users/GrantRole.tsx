import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { roles } from '../../../schema/entities/roles';
import { users } from '../../../schema/entities/users';
import type { RunBulk } from '../../crud/bulk/useBulk';
import { RowPicker } from '../../crud/fields/RowPicker';
import { type BulkTarget, changeMany, undoBulk } from '../../providers/bulk';
import { DialogActions } from '../../ui/DialogActions';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';

interface Props {
  /** The users selected in the list. */
  target: BulkTarget;
  run: RunBulk;
  onDone: () => void;
}

/** Adds a role to the selected users, who keep their other roles. */
export function GrantRole({ target, run, onDone }: Props) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const [role, setRole] = useState<number>();
  const addRole = async () => {
    setOpen(false);
    const isDone = await run({
      send: (onProgress) => changeMany(users, target, { add: { role_ids: [role] } }, onProgress),
      resultText: 'toasts.bulk_changed',
      undo: (result, onProgress) => undoBulk(users, result.undo ?? {}, onProgress),
    });
    if (isDone) onDone();
  };
  return (
    <>
      <button type="button" className="sl-button" onClick={() => setOpen(true)}>
        <Icon name="admin" size={16} />
        {translate('role.add')}
      </button>
      {isOpen && (
        <Modal title={translate('role.add')} onClose={() => setOpen(false)}>
          <p>{translate('role.add_text')}</p>
          <RowPicker
            entity={roles}
            label={translate('resources.roles.name', 1)}
            value={role === undefined ? [] : [role]}
            onChange={([id]) => setRole(id)}
          />
          <DialogActions
            label={translate('role.add')}
            isDisabled={role === undefined}
            onClose={() => setOpen(false)}
            onAct={() => void addRole()}
          />
        </Modal>
      )}
    </>
  );
}

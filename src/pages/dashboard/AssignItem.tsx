import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { users } from '../../../schema/entities/users';
import { RowPicker } from '../../crud/fields/RowPicker';
import { can, currentUser } from '../../providers/auth';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { useDialogCall } from '../../ui/useDialogCall';

interface AssignItemProps {
  title: string;
  onAssign: (userId: number) => Promise<void>;
  onClose: () => void;
}

/**
 * Assigns an item to a user; to nobody but the caller if the caller may not list users. The server rejects users who
 * cannot see all of the item.
 */
export const AssignItem = ({ title, onAssign, onClose }: AssignItemProps) => {
  const translate = useTranslate();
  const field = useId();
  const [userId, setUserId] = useState<number>();
  const { run, isBusy, problem, setProblem } = useDialogCall();
  const canChoose = can('users', 'list');
  const ownId = currentUser()?.id;
  const assignTo = (assigneeId: number | undefined) => {
    if (assigneeId === undefined)
      return setProblem(translate('validation.choose', { field: translate('inbox.person') }));
    void run(() => onAssign(assigneeId));
  };
  return (
    <Modal title={translate('inbox.assign_title')} onClose={onClose}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{translate('inbox.assign_text')}</p>
      {canChoose && (
        <div className="sl-field" data-wrong={problem !== undefined}>
          <label htmlFor={field}>{translate('inbox.person')}</label>
          <RowPicker
            id={field}
            entity={users}
            value={userId === undefined ? [] : [userId]}
            invalid={problem !== undefined}
            describedBy={`${field}-problem`}
            onChange={([id]) => {
              setUserId(id);
              setProblem(undefined);
            }}
          />
        </div>
      )}
      <p className="sl-field-problem" id={`${field}-problem`} role="alert">
        {problem}
      </p>
      <DialogActions
        label={translate(canChoose ? 'inbox.acts.assign' : 'inbox.myself')}
        isDisabled={isBusy}
        onClose={onClose}
        onAct={() => assignTo(canChoose ? userId : ownId)}
      >
        {canChoose && (
          <button type="button" className="sl-button" disabled={isBusy} onClick={() => assignTo(ownId)}>
            {translate('inbox.myself')}
          </button>
        )}
      </DialogActions>
    </Modal>
  );
};

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

/** Gives an item to a person who sees all of it; the server refuses others. */
export const AssignItem = ({ title, onAssign, onClose }: AssignItemProps) => {
  const translate = useTranslate();
  const field = useId();
  const [person, setPerson] = useState<number>();
  const { run, isBusy, problem, setProblem } = useDialogCall();
  const give = (userId: number | undefined) => {
    if (userId === undefined) return setProblem(translate('validation.choose', { field: translate('inbox.person') }));
    void run(() => onAssign(userId));
  };
  return (
    <Modal title={translate('inbox.assign_title')} onClose={onClose}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{translate('inbox.assign_text')}</p>
      {can('users', 'list') && (
        <div className="sl-field" data-wrong={problem !== undefined}>
          <label htmlFor={field}>{translate('inbox.person')}</label>
          <RowPicker
            id={field}
            entity={users}
            value={person === undefined ? [] : [person]}
            invalid={problem !== undefined}
            describedBy={`${field}-problem`}
            onChange={([id]) => {
              setPerson(id);
              setProblem(undefined);
            }}
          />
        </div>
      )}
      <p className="sl-field-problem" id={`${field}-problem`} role="alert">
        {problem}
      </p>
      <DialogActions
        label={translate('inbox.acts.assign')}
        isDisabled={isBusy}
        onClose={onClose}
        onAct={() => give(person)}
      >
        <button type="button" className="sl-button" disabled={isBusy} onClick={() => give(currentUser()?.id)}>
          {translate('inbox.myself')}
        </button>
      </DialogActions>
    </Modal>
  );
};

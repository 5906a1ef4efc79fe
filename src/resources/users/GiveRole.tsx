import type { Identifier } from 'ra-core';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { roles } from '../../../schema/entities/roles';
import { Icon } from '../../layout/Icon';
import { Modal } from '../../layout/Modal';
import { api } from '../../providers/http';
import { RowPicker } from '../parts/RowPicker';

interface Props {
  /** The users chosen in the list. */
  ids: readonly Identifier[];
  onDone: () => Promise<void>;
}

/** Gives one more role to the chosen users; what they hold already stays. */
export function GiveRole({ ids, onDone }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const [role, setRole] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const give = async () => {
    setBusy(true);
    try {
      await api(`roles/${role}/users`, { method: 'POST', body: { user_ids: ids } });
      notify('role.given', { type: 'success' });
      setOpen(false);
      await onDone();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
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
            onChange={([id]) => {
              setRole(id);
              setProblem(undefined);
            }}
          />
          <p className="sl-field-problem" role="alert">
            {problem && translate(problem, { _: problem })}
          </p>
          <div className="sl-modal-actions">
            <button type="button" className="sl-button" onClick={() => setOpen(false)}>
              {translate('dialogs.cancel')}
            </button>
            <button type="button" className="sl-button sl-button-primary" disabled={isBusy || role === undefined} onClick={() => void give()}>
              {translate('role.add')}
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}

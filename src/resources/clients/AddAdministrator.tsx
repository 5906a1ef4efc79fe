import type { Identifier } from 'ra-core';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { users } from '../../../schema/entities/users';
import { namedRoles } from '../../../schema/shared/roles';
import { RowPicker } from '../../crud/fields/RowPicker';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { fetchRows } from '../../providers/rows';
import { DialogActions } from '../../ui/DialogActions';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { ProblemText } from '../../ui/ProblemText';
import { useDialogCall } from '../../ui/useDialogCall';

interface Props {
  clientId: Identifier;
  /** Ids of the client's current administrators. */
  memberIds: readonly number[];
  onDone: () => Promise<void>;
}

/** Makes users of the client its administrators, or links to the form that invites a new one. */
export function AddAdministrator({ clientId, memberIds, onDone }: Props) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const [userIds, setUserIds] = useState<number[]>([]);
  const { run, isBusy, problem, setProblem } = useDialogCall();
  const title = translate('clients.add_administrator');
  const source = encodeURIComponent(JSON.stringify({ client_id: clientId }));
  const add = () =>
    run(async () => {
      const { data } = await fetchRows('roles', {
        filter: [{ path: 'name', values: [namedRoles.customer_admin.name] }],
      });
      const role = data.find(({ name }) => name === namedRoles.customer_admin.name);
      await call('POST /roles/{id}/users', { params: { id: String(role?.id) }, body: { user_ids: userIds } });
      notify('clients.administrator_added', { type: 'success' });
      setOpen(false);
      setUserIds([]);
      await onDone();
    });
  return (
    <>
      <button type="button" className="sl-button" onClick={() => setOpen(true)}>
        <Icon name="plus" size={16} />
        {title}
      </button>
      {isOpen && (
        <Modal title={title} onClose={() => setOpen(false)}>
          <p>{translate('clients.add_administrator_text')}</p>
          <RowPicker
            entity={users}
            label={translate('resources.users.plural')}
            multiple
            filter={{ client_id: Number(clientId) }}
            narrow={(rows) => rows.filter(({ id }) => !memberIds.includes(Number(id)))}
            value={userIds}
            onChange={(ids) => {
              setUserIds(ids);
              setProblem(undefined);
            }}
          />
          <ProblemText>{problem}</ProblemText>
          {can('invitations', 'create') && (
            <Link to={`${pathOf('invitations', 'create')}?source=${source}`}>{translate('users.new_invitation')}</Link>
          )}
          <DialogActions
            label={title}
            isDisabled={isBusy || userIds.length === 0}
            onClose={() => setOpen(false)}
            onAct={() => void add()}
          />
        </Modal>
      )}
    </>
  );
}

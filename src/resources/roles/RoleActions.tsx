import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { roles } from '../../../schema/entities/roles';
import { users } from '../../../schema/entities/users';
import { RowPicker } from '../../crud/fields/RowPicker';
import { usePathOf } from '../../crud/shared/paths';
import { isDeletable } from '../../crud/shared/removalTexts';
import { useLanguage } from '../../crud/shared/useLanguage';
import { roleName } from '../../i18n/roles';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { DialogActions } from '../../ui/DialogActions';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { ProblemText } from '../../ui/ProblemText';
import { useDialogCall } from '../../ui/useDialogCall';

interface Props {
  role: RaRecord;
}

/** Actions on a role: granting it to several users, and replacing it by another role before deleting it. */
export function RoleActions({ role }: Props) {
  const translate = useTranslate();
  const [open, setOpen] = useState<'grant' | 'replace'>();
  if (!can('users', 'edit')) return null;
  return (
    <>
      <button type="button" className="sl-button" onClick={() => setOpen('grant')}>
        <Icon name="users" size={16} />
        {translate('role.give')}
      </button>
      {isDeletable(roles, role) && (
        <button type="button" className="sl-button" onClick={() => setOpen('replace')}>
          {translate('role.replace')}
        </button>
      )}
      {open === 'grant' && <GrantDialog role={role} onClose={() => setOpen(undefined)} />}
      {open === 'replace' && <ReplaceDialog role={role} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface DialogProps {
  role: RaRecord;
  onClose: () => void;
}

function GrantDialog({ role, onClose }: DialogProps) {
  const translate = useTranslate();
  const language = useLanguage();
  const client = useQueryClient();
  const notify = useNotify();
  const [selectedIds, setSelectedIds] = useState<number[]>([]);
  const { run, isBusy, problem } = useDialogCall();
  const grant = () =>
    run(async () => {
      await call('POST /roles/{id}/users', { params: { id: role.id }, body: { user_ids: selectedIds } });
      await client.invalidateQueries({ queryKey: ['users'] });
      notify('role.given', { type: 'success' });
      onClose();
    });
  return (
    <Modal title={translate('role.give_title', { name: roleName(String(role.name), language) })} onClose={onClose}>
      <RowPicker
        entity={users}
        multiple
        label={translate('resources.users.plural')}
        value={selectedIds}
        onChange={setSelectedIds}
      />
      <ProblemText>{problem}</ProblemText>
      <DialogActions
        label={translate('role.give')}
        isDisabled={isBusy || selectedIds.length === 0}
        onClose={onClose}
        onAct={() => void grant()}
      />
    </Modal>
  );
}

function ReplaceDialog({ role, onClose }: DialogProps) {
  const translate = useTranslate();
  const client = useQueryClient();
  const notify = useNotify();
  const navigate = useNavigate();
  const pathOf = usePathOf();
  const [selectedIds, setSelectedIds] = useState<number[]>([]);
  const { run, isBusy, problem } = useDialogCall();
  const replace = () =>
    run(async () => {
      await call('POST /roles/{id}/replace', {
        params: { id: role.id },
        body: { replacement_id: selectedIds[0] as number },
      });
      notify('resources.roles.deleted', { type: 'success' });
      navigate(pathOf('roles'));
      for (const name of ['roles', 'users', 'invitations'])
        await client.invalidateQueries({ queryKey: [name], refetchType: 'none' });
    });
  return (
    <Modal title={translate('role.replace_title', { name: String(role.name) })} onClose={onClose}>
      <p>{translate('role.replace_text')}</p>
      <RowPicker
        entity={roles}
        label={translate('role.replacement')}
        value={selectedIds}
        onChange={setSelectedIds}
        narrow={(rows) => rows.filter(({ id }) => id !== role.id)}
      />
      <ProblemText>{problem}</ProblemText>
      <DialogActions
        label={translate('role.replace')}
        isDisabled={isBusy || selectedIds.length === 0}
        onClose={onClose}
        onAct={() => void replace()}
      />
    </Modal>
  );
}

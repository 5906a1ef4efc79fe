import { useTranslate } from 'ra-core';
import type { FieldValues } from 'react-hook-form';
import { registry } from '../../../schema';
import { can } from '../../providers/auth';
import { Modal } from '../../ui/Modal';
import { EntityForm } from '../record/EntityForm';
import { valuesOf } from '../record/rules';
import type { SavedView } from './savedView';

interface SaveViewDialogProps {
  /** The view to edit; absent for a new one. */
  view: SavedView | undefined;
  save: (values: FieldValues) => Promise<void>;
  onClose: () => void;
}

/** Edits a view's name, sharing and default flag. Offers sharing only to users who may share. */
export const SaveViewDialog = ({ view, save, onClose }: SaveViewDialogProps) => {
  const translate = useTranslate();
  const entity = registry.saved_views;
  const names = [
    'name',
    'is_default',
    ...(can('clients', 'edit') ? ['client_id'] : []),
    ...(can('roles', 'edit') ? ['role_id'] : []),
  ];
  const values = view ? valuesOf(entity, names, view) : { name: '', is_default: false, client_id: null, role_id: null };
  return (
    <Modal
      title={translate(`resources.saved_views.${view ? 'edit' : 'add'}`)}
      className="sl-modal-form"
      onClose={onClose}
    >
      <EntityForm entity={entity} names={names} values={values} current={view} save={save} onCancel={onClose} />
    </Modal>
  );
};

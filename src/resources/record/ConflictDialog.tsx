import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import type { FieldValues } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { Modal } from '../../layout/Modal';
import { Show } from '../parts/Show';

interface ConflictDialogProps {
  entity: Entity;
  names: readonly string[];
  before: RaRecord;
  mine: FieldValues;
  theirs: RaRecord;
  onMine: () => void;
  onTheirs: () => void;
  onClose: () => void;
}

/** Somebody else saved the row first: both versions of what the reader changed, and which of them holds. Everything else stays as it is now. Closing goes on editing. */
export const ConflictDialog = ({ entity, names, before, mine, theirs, onMine, onTheirs, onClose }: ConflictDialogProps) => {
  const translate = useTranslate();
  const differing = names.filter((name) => !same(mine[name], theirs[name]) && !same(mine[name], before[name]));
  return (
    <Modal role="alertdialog" title={translate('form.stale_title')} onClose={onClose}>
      <p>{translate('form.stale_text')}</p>
      <table className="sl-conflict">
        <thead>
          <tr>
            <td />
            <th scope="col">{translate('form.stale_yours')}</th>
            <th scope="col">{translate('form.stale_current')}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((name) => (
            <tr key={name}>
              <th scope="row">{translate(`resources.${entity.name}.fields.${name}`)}</th>
              <td>{mine[name] instanceof File ? (mine[name] as File).name : <Show entity={entity} source={name} record={{ [name]: mine[name] }} />}</td>
              <td>
                <Show entity={entity} source={name} record={theirs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={onClose}>
          {translate('form.stale_go_on')}
        </button>
        <button type="button" className="sl-button" onClick={onTheirs}>
          {translate('form.stale_theirs')}
        </button>
        <button type="button" className="sl-button sl-button-primary" onClick={onMine}>
          {translate('form.stale_mine')}
        </button>
      </div>
    </Modal>
  );
};

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

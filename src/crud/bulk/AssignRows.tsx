import { useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { users } from '../../../schema/entities/users';
import { type BulkTarget, changeMany, type ProgressHandler, targetBody, undoBulk } from '../../providers/bulk';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { optionFilter } from '../fields/pickerOptions';
import { RowPicker } from '../fields/RowPicker';
import { findEntity } from '../shared/entities';
import { useCountText } from '../shared/useCountText';
import './bulk.css';
import { assignableFields, linkFieldTo } from './assignable';
import type { MoveRowsProps } from './MoveRows';

/**
 * Dialog that assigns the selected users to fleets, locations and machines, or the selected fleets, locations or
 * machines to users. Also removes such assignments.
 */
export const AssignRows = ({ entity, target, run, onClose, onDone }: MoveRowsProps) => {
  const translate = useTranslate();
  const rowsText = useCountText()(`resources.${entity.name}.counted`, target.count);
  const isUsers = entity.name === 'users';
  const [operation, setOperation] = useState<'add' | 'remove'>('add');
  const [userIds, setUserIds] = useState<number[]>([]);
  const [links, setLinks] = useState<Record<string, number[]>>({});
  const [isBusy, setBusy] = useState(false);
  const selectedLinks = Object.fromEntries(Object.entries(links).filter(([, ids]) => ids.length > 0));
  const isReady = isUsers ? Object.keys(selectedLinks).length > 0 : userIds.length > 0;
  const assign = async () => {
    const userTarget: BulkTarget = isUsers ? target : { ids: userIds, count: userIds.length };
    const changes = isUsers ? selectedLinks : { [linkFieldTo(entity) ?? '']: linkValue(entity, target) };
    setBusy(true);
    const isDone = await run({
      send: async (onProgress: ProgressHandler) => {
        const result = await changeMany(users, userTarget, { [operation]: changes }, onProgress);
        return isUsers ? result : { ...result, count: target.count };
      },
      resultText: 'toasts.bulk_changed',
      changedEntity: users,
      staleEntities: ['users'],
      undo: async (result, onProgress) => ({
        ...(await undoBulk(users, result.undo ?? {}, onProgress)),
        count: result.count,
      }),
    });
    setBusy(false);
    if (!isDone) return;
    onClose();
    onDone();
  };
  return (
    <Modal
      title={translate(isUsers ? 'many.assign_title' : 'many.assign_users_title', { counted: rowsText })}
      onClose={onClose}
    >
      <p>{translate('many.assign_text')}</p>
      <form
        className="sl-many-form"
        onSubmit={(event) => {
          event.preventDefault();
          void assign();
        }}
      >
        <fieldset>
          <legend className="sl-hidden">{translate('many.assign')}</legend>
          {(['add', 'remove'] as const).map((name) => (
            <label key={name} className="sl-radio">
              <input type="radio" name="operation" checked={operation === name} onChange={() => setOperation(name)} />
              {translate(`many.assign_${name}`)}
            </label>
          ))}
        </fieldset>
        {isUsers ? (
          assignableFields().map((name) => (
            <div key={name} className="sl-form-field">
              <label className="sl-form-field-label" htmlFor={`assign-${name}`}>
                {translate(`resources.users.fields.${name}`)}
              </label>
              <RowPicker
                id={`assign-${name}`}
                entity={findEntity(users.fields[name].to) as Entity}
                multiple
                filter={optionFilter(users, name)}
                value={links[name] ?? []}
                onChange={(selectedIds) => setLinks({ ...links, [name]: selectedIds })}
              />
            </div>
          ))
        ) : (
          <div className="sl-form-field">
            <label className="sl-form-field-label" htmlFor="assign-users">
              {translate('resources.users.plural')}
            </label>
            <RowPicker id="assign-users" entity={users} multiple value={userIds} onChange={setUserIds} />
          </div>
        )}
        <DialogActions
          label={translate(`many.assign_${operation}`)}
          isDisabled={!isReady || isBusy}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
};

/** The selected rows in the format of a link field: ids, or a filter that matches the rows. */
const linkValue = (entity: Entity, target: BulkTarget): object =>
  target.filter ? targetBody(entity, target) : target.ids;

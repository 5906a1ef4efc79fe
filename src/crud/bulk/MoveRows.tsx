import { type RaRecord, useGetOne, useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { type BulkTarget, changeMany, undoBulk } from '../../providers/bulk';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { RowPicker } from '../fields/RowPicker';
import { findEntity, titleOf } from '../shared/entities';
import { useCountText } from '../shared/useCountText';
import { useLanguage } from '../shared/useLanguage';
import './bulk.css';
import { movesOf } from './assignable';
import { TallyTable } from './TallyTable';
import type { RunBulk } from './useBulk';

export interface MoveRowsProps {
  entity: Entity;
  target: BulkTarget;
  run: RunBulk;
  onClose: () => void;
  onDone: () => void;
}

/** Moves rows to a fleet or location, all of them or none, and shows their current fleets or locations. */
export const MoveRows = ({ entity, target, run, onClose, onDone }: MoveRowsProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const rowsText = useCountText()(`resources.${entity.name}.counted`, target.count);
  const fields = movesOf(entity);
  const [field, setField] = useState(fields[0] ?? 'fleet_id');
  const [targetId, setTargetId] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const isFleet = field === 'fleet_id';
  const { data: location } = useGetOne<RaRecord>(
    'locations',
    { id: targetId as number, meta: { include: ['fleet'] } },
    { enabled: !isFleet && targetId !== undefined },
  );
  const targetEntity = findEntity(isFleet ? 'fleets' : 'locations') as Entity;
  const values = isFleet ? { fleet_id: targetId } : { location_id: targetId, fleet_id: location?.fleet_id };
  const isReady = targetId !== undefined && (isFleet || location?.id === targetId);
  const move = async () => {
    setBusy(true);
    const isDone = await run({
      send: (onProgress) => changeMany(entity, target, { data: values }, onProgress),
      resultText: 'toasts.bulk_changed',
      staleEntities: ['locations', 'machines', 'fleets'],
      undo: (result, onProgress) => undoBulk(entity, result.undo ?? {}, onProgress),
    });
    setBusy(false);
    if (!isDone) return;
    onClose();
    onDone();
  };
  return (
    <Modal
      title={translate(isFleet ? 'many.move_fleet_title' : 'many.move_location_title', { counted: rowsText })}
      onClose={onClose}
    >
      <form
        className="sl-many-form"
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
      >
        {fields.length > 1 && (
          <fieldset>
            <legend className="sl-hidden">{translate('many.move')}</legend>
            {fields.map((name) => (
              <label key={name} className="sl-radio">
                <input
                  type="radio"
                  name="to"
                  checked={name === field}
                  onChange={() => {
                    setField(name);
                    setTargetId(undefined);
                  }}
                />
                {translate(name === 'fleet_id' ? 'many.move_fleet' : 'many.move_location')}
              </label>
            ))}
          </fieldset>
        )}
        <TallyTable entity={entity} target={target} by={field} newValue={targetId} />
        <div className="sl-form-field">
          <label className="sl-form-field-label" htmlFor="move-to">
            {translate(isFleet ? 'many.to_fleet' : 'many.to_location')}
          </label>
          <RowPicker
            key={field}
            id="move-to"
            entity={targetEntity}
            value={targetId === undefined ? [] : [targetId]}
            onChange={([id]) => setTargetId(id)}
          />
        </div>
        <p>
          {entity.name === 'locations'
            ? translate('many.along')
            : isFleet
              ? translate('many.leaves')
              : location && isReady
                ? translate('many.goes_along', { fleet: titleOf(findEntity('fleets'), location.fleet, language) })
                : null}
        </p>
        <DialogActions
          label={translate('many.move_button', { counted: rowsText })}
          isDisabled={!isReady || isBusy}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
};

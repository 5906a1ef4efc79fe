import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { FieldDisplay } from '../fields/FieldDisplay';
import { isSameJson } from './useJustChanged';
import './merge.css';

interface MergeDialogProps {
  entity: Entity;
  names: readonly string[];
  /**
   * The row as the form loaded it; `mine`: the user's values; `theirs`: the version that another user saved meanwhile.
   */
  base: RaRecord;
  mine: FieldValues;
  theirs: RaRecord;
  /** Called with the fields for which the user chose the other version. */
  onSave: (theirFields: readonly string[]) => void;
  onClose: () => void;
}

type Version = 'mine' | 'theirs';

/**
 * Merges after a conflict: shows for each field the former value, theirs and mine, and lets the user choose. Closing
 * returns to the form.
 */
export const MergeDialog = ({ entity, names, base, mine, theirs, onSave, onClose }: MergeDialogProps) => {
  const translate = useTranslate();
  const differingNames = names.filter((name) => !isSameJson(mine[name], theirs[name]));
  // Fields that the user did not change default to the other version.
  const [choices, choose] = useState<Record<string, Version>>(() =>
    Object.fromEntries(differingNames.map((name) => [name, isSameJson(mine[name], base[name]) ? 'theirs' : 'mine'])),
  );
  const option = (name: string, version: Version, label: string, row: FieldValues) => (
    <label className="sl-merge-option">
      <input
        type="radio"
        name={`merge-${name}`}
        checked={choices[name] === version}
        onChange={() => choose({ ...choices, [name]: version })}
      />
      <span>
        <small>{label}</small>
        {row[name] instanceof File ? (
          (row[name] as File).name
        ) : (
          <FieldDisplay entity={entity} source={name} record={{ [name]: row[name] }} />
        )}
      </span>
    </label>
  );
  return (
    <Modal role="alertdialog" title={translate('merge.title')} onClose={onClose}>
      <p>{translate('merge.text')}</p>
      <div className="sl-merge">
        {differingNames.map((name) => (
          <fieldset key={name}>
            <legend>{translate(`resources.${entity.name}.fields.${name}`)}</legend>
            <p className="sl-merge-before">
              {translate('merge.before')}:{' '}
              <FieldDisplay entity={entity} source={name} record={{ [name]: base[name] }} />
            </p>
            {option(name, 'mine', translate('merge.mine'), mine)}
            {option(name, 'theirs', translate('merge.theirs'), theirs)}
          </fieldset>
        ))}
        {differingNames.length === 0 && <p>{translate('merge.both')}</p>}
      </div>
      <DialogActions
        label={translate('merge.save')}
        closeLabel={translate('merge.go_on')}
        onClose={onClose}
        onAct={() => onSave(differingNames.filter((name) => choices[name] === 'theirs'))}
      />
    </Modal>
  );
};

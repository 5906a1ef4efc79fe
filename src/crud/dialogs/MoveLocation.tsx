import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { fleets } from '../../../schema/entities/fleets';
import type { locations } from '../../../schema/entities/locations';
import { call } from '../../providers/call';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { ProblemText } from '../../ui/ProblemText';
import { useDialogCall } from '../../ui/useDialogCall';
import { RowPicker } from '../fields/RowPicker';

type Location = Pick<Row<typeof locations>, 'id' | 'name' | 'fleet_id'>;

interface Props {
  location: Location;
  onClose: () => void;
}

/** Dialog that moves a location with its machines to another fleet. */
export function MoveLocation({ location, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const field = useId();
  const [target, setTarget] = useState<number>();
  const { run, isBusy, problem, setProblem } = useDialogCall();
  const move = () => {
    if (target === undefined)
      return setProblem(translate('validation.choose', { field: translate('clients.target_fleet') }));
    void run(async () => {
      await call('POST /locations/{id}/move', { params: { id: location.id }, body: { fleet_id: target } });
      notify('clients.moved', { type: 'success' });
      await Promise.all(
        ['locations', 'machines', 'fleets'].map((resource) => client.invalidateQueries({ queryKey: [resource] })),
      );
      onClose();
    });
  };

  return (
    <Modal title={translate('clients.move_title', { name: location.name })} onClose={onClose}>
      <p>{translate('clients.move_text')}</p>
      <div className="sl-field" data-wrong={problem !== undefined}>
        <label htmlFor={field}>{translate('clients.target_fleet')}</label>
        <RowPicker
          id={field}
          entity={fleets}
          value={target === undefined ? [] : [target]}
          invalid={problem !== undefined}
          describedBy={`${field}-problem`}
          onChange={([id]) => {
            setTarget(id);
            setProblem(undefined);
          }}
        />
        <ProblemText id={`${field}-problem`}>{problem}</ProblemText>
      </div>
      <DialogActions
        label={translate('clients.move')}
        isDisabled={isBusy || target === location.fleet_id}
        onClose={onClose}
        onAct={move}
      />
    </Modal>
  );
}

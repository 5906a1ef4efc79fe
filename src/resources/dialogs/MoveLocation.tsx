import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useGetList, useNotify, useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import type { fleets } from '../../../schema/entities/fleets';
import type { locations } from '../../../schema/entities/locations';
import { Modal } from '../../layout/Modal';
import { api } from '../../providers/http';

type Location = Pick<Row<typeof locations>, 'id' | 'name' | 'fleet_id' | 'client_id'>;

interface Props {
  location: Location;
  onClose: () => void;
}

/** Asks to which fleet a location goes and moves it there with its machines. */
export function MoveLocation({ location, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const field = useId();
  const [target, setTarget] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { data: known = [] } = useGetList<Row<typeof fleets> & { client?: { name: string } | null }>('fleets', {
    pagination: { page: 1, perPage: 1000 },
    sort: { field: 'name', order: 'ASC' },
    meta: { include: ['client'] },
  });
  const others = known.filter(({ id }) => id !== location.fleet_id);
  const own = others.filter(({ client_id }) => client_id === location.client_id);
  const foreign = others.filter(({ client_id }) => client_id !== location.client_id);

  const move = async () => {
    if (!target) return setProblem(translate('validation.choose', { field: translate('clients.target_fleet') }));
    setBusy(true);
    try {
      await api(`locations/${location.id}/move`, { method: 'POST', body: { fleet_id: Number(target) } });
      notify('clients.moved', { type: 'success' });
      await Promise.all(['locations', 'machines', 'fleets'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };

  return (
    <Modal title={translate('clients.move_title', { name: location.name })} onClose={onClose}>
      <p>{translate('clients.move_text')}</p>
      <div className="sl-field" data-wrong={problem !== undefined}>
        <label htmlFor={field}>{translate('clients.target_fleet')}</label>
        <div className="sl-field-box">
          <select
            id={field}
            value={target}
            aria-invalid={problem !== undefined}
            aria-describedby={`${field}-problem`}
            onChange={(event) => {
              setTarget(event.target.value);
              setProblem(undefined);
            }}
          >
            <option value="">{translate('form.choose')}</option>
            {own.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {foreign.map(({ id, name, client: owner }) => (
              <option key={id} value={id}>
                {owner ? `${name} (${owner.name})` : name}
              </option>
            ))}
          </select>
        </div>
        <p className="sl-field-problem" id={`${field}-problem`} role="alert">
          {problem}
        </p>
      </div>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={onClose}>
          {translate('dialogs.cancel')}
        </button>
        <button type="button" className="sl-button sl-button-primary" disabled={isBusy} onClick={() => void move()}>
          {translate('clients.move')}
        </button>
      </div>
    </Modal>
  );
}

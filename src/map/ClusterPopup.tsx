import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { stateNames } from '../../schema/entities/machines';
import { usePathOf } from '../crud/shared/paths';
import { StateMark } from '../ui/StateMark';
import { isTooSmallToZoom } from './bounds';
import type { Cluster } from './mapContent';
import { Popover } from './Popover';
import { useMachinesWithin } from './useMachinesWithin';
import type { Filter } from './useMapContent';

interface Props {
  cluster: Cluster;
  filter: Filter;
  onZoom: () => void;
  onClose: () => void;
}

/** Popup of a cluster: machines per state, the first machines by name, and a button to zoom in. */
export function ClusterPopup({ cluster, filter, onZoom, onClose }: Props) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const { data } = useMachinesWithin({ filter, bounds: cluster.bbox, limit: 8 });
  const hiddenCount = data ? data.total - data.data.length : 0;
  return (
    <Popover position={[cluster.latitude, cluster.longitude]} takesFocus={false} onClose={onClose}>
      <strong className="sl-popup__title">{translate('map.cluster', { smart_count: cluster.count })}</strong>
      <ul className="sl-popup__states">
        {stateNames
          .filter((state) => cluster.states[state])
          .map((state) => (
            <li key={state}>
              <StateMark state={state} /> <b>{cluster.states[state]}</b>
            </li>
          ))}
      </ul>
      <ul className="sl-popup__machines">
        {data?.data.map(({ id, serial_number, status }) => (
          <li key={id}>
            <Link to={pathOf('machines', id)}>{serial_number}</Link>
            <StateMark state={status} />
          </li>
        ))}
        {hiddenCount > 0 && <li className="sl-popup__more">{translate('map.more', { smart_count: hiddenCount })}</li>}
      </ul>
      {!isTooSmallToZoom(cluster.bbox) && (
        <button type="button" className="sl-button" onClick={onZoom}>
          {translate('map.closer')}
        </button>
      )}
    </Popover>
  );
}

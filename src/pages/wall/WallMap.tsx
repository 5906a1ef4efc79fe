import { stateOrder } from '../../../schema/features/dashboard';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { FleetMap } from '../../map/FleetMap';
import { StateMark } from '../../ui/StateMark';
import { useDashboard } from '../dashboard/useDashboard';

/** A map of the machines, and the number of machines per state. */
export const WallMap = () => {
  const language = useLanguage();
  const states = useDashboard().data?.data.states;
  return (
    <>
      <FleetMap />
      <ul className="sl-wall__legend">
        {stateOrder.map((state) => (
          <li key={state}>
            <StateMark state={state} />
            <b>{states && formatNumber(states[state], { language })}</b>
          </li>
        ))}
      </ul>
    </>
  );
};

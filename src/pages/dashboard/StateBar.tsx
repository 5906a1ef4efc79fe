import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { StateName } from '../../../schema/entities/machines';
import { stateList, stateOrder } from '../../../schema/features/dashboard';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { StateMark } from '../../ui/StateMark';
import { filteredListPath } from './FigureTile';

interface Props {
  /** Number of machines in each state; `undefined` while loading. */
  states: Readonly<Record<StateName, number>> | undefined;
}

/** A bar of the five states. Its segments and the labels below link to the machines in each state. */
export const StateBar = ({ states }: Props) => {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  return (
    <section className="sl-states" aria-labelledby={id}>
      <h2 id={id}>{translate('dashboard.states')}</h2>
      {/* Repeats the links below for pointers, so it is hidden from screen readers. */}
      <div className="sl-states__bar" aria-hidden="true">
        {stateOrder.map((state) =>
          states && states[state] > 0 ? (
            <Link
              key={state}
              tabIndex={-1}
              to={filteredListPath(stateList(state))}
              className="sl-states__part"
              data-state={state.toLowerCase()}
              style={{ flexGrow: states[state] }}
            />
          ) : null,
        )}
      </div>
      <ul className="sl-states__names">
        {stateOrder.map((state) => (
          <li key={state}>
            <Link to={filteredListPath(stateList(state))}>
              <StateMark state={state} />
              <b>{states ? formatNumber(states[state], { language }) : '–'}</b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

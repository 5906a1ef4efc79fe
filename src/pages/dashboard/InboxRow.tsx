import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { InboxItem } from '../../../schema/endpoints/inbox';
import { isPermitted } from '../../crud/shared/entities';
import { Dropdown } from '../../ui/Dropdown';
import { Icon } from '../../ui/Icon';
import { useIsMobile } from '../../ui/useIsMobile';
import { WholeWords } from '../../ui/WholeWords';
import { describeInboxItem, severityIcons } from './describeInboxItem';
import { InboxDetails } from './InboxDetails';
import { type RowAct, rowActsOf } from './rowActsOf';

interface InboxRowProps {
  item: InboxItem;
  onAct: (act: Exclude<RowAct, 'open'>) => void;
}

/** An inbox item: severity, title, explanation and its actions, of which a phone shows the first and a menu. */
export const InboxRow = ({ item, onAct }: InboxRowProps) => {
  const translate = useTranslate();
  const { title, details, to } = describeInboxItem(item, translate);
  const buttons = useIsMobile() ? 1 : 2;
  const acts = rowActsOf(item, { hasPage: to !== undefined, canReport: isPermitted('machines.report') });
  const furtherActs = acts.slice(buttons).filter((act) => act !== 'open');
  const actLabel = (act: RowAct) => translate(act === 'report' ? 'alerting.report.open' : `inbox.acts.${act}`);
  return (
    <li className="sl-inbox-row" data-key={item.key}>
      <span className="sl-inbox-severity" data-severity={item.severity}>
        <Icon name={severityIcons[item.severity]} size={16} />
        {translate(`resources.alerts.choices.severity.${item.severity}`)}
      </span>
      <span className="sl-inbox-text">
        {to ? (
          <Link to={to} className="sl-inbox-title">
            <WholeWords text={title} />
          </Link>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move between rows, and letters act on them
          <span className="sl-inbox-title" tabIndex={0}>
            <WholeWords text={title} />
          </span>
        )}
        <span className="sl-inbox-why">
          <InboxDetails item={item} details={details} />
        </span>
      </span>
      <span className="sl-inbox-acts">
        {acts.slice(0, buttons).map((act) =>
          act === 'open' ? (
            to && (
              <Link key={act} className="sl-button" aria-label={`${actLabel(act)}: ${title}`} to={to}>
                {actLabel(act)}
              </Link>
            )
          ) : (
            <button
              key={act}
              type="button"
              className="sl-button"
              aria-label={`${actLabel(act)}: ${title}`}
              onClick={() => onAct(act)}
            >
              {actLabel(act)}
            </button>
          ),
        )}
        {furtherActs.length > 0 && (
          <Dropdown
            className="sl-icon-button"
            label={translate('inbox.more', { title })}
            title={translate('inbox.more', { title })}
            align="end"
            entries={() => furtherActs.map((act) => ({ text: actLabel(act), run: () => onAct(act) }))}
          >
            <Icon name="more" />
          </Dropdown>
        )}
      </span>
    </li>
  );
};

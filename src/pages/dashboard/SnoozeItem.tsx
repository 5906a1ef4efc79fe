import { useTranslate } from 'react-admin';
import { formatDateTime } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { Modal } from '../../ui/Modal';

/** The offered times: in three hours, or at eight o'clock on later days, in the user's time zone. */
function snoozeTimes(now: Date): (readonly [name: string, until: Date])[] {
  const morning = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 8);
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return [
    ['hours', new Date(now.getTime() + 3 * 3_600_000)],
    ['tomorrow', morning(1)],
    ...(daysToMonday > 1 && daysToMonday < 7 ? [['monday', morning(daysToMonday)] as const] : []),
    ['week', morning(7)],
  ];
}

interface SnoozeItemProps {
  title: string;
  onSnooze: (until: Date) => void;
  onClose: () => void;
}

/** Lets the user choose until when to snooze an item. */
export const SnoozeItem = ({ title, onSnooze, onClose }: SnoozeItemProps) => {
  const translate = useTranslate();
  return (
    <Modal title={translate('inbox.snooze_title')} onClose={onClose}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{translate('inbox.snooze_text')}</p>
      <ul className="sl-inbox-later">
        {snoozeTimes(new Date(serverNow())).map(([name, until]) => (
          <li key={name}>
            <button type="button" className="sl-button" onClick={() => onSnooze(until)}>
              <span>{translate(`inbox.later.${name}`)}</span>
              <span>{formatDateTime(until)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={onClose}>
          {translate('dialogs.cancel')}
        </button>
      </div>
    </Modal>
  );
};

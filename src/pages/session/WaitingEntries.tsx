import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { countWaitingEntries } from '../../providers/deviceStore';
import { Icon } from '../../ui/Icon';

/** Says on the login page how many entries made offline wait on this device. */
export function WaitingEntries() {
  const translate = useTranslate();
  const [count, setCount] = useState(0);
  useEffect(() => void countWaitingEntries().then(setCount), []);
  return (
    <div role="status">
      {count > 0 && (
        <p className="sl-unreachable sl-session-notice">
          <Icon name="upload" size={18} />
          {translate('outbox.waiting_login', { smart_count: count })}
        </p>
      )}
    </div>
  );
}

import { useTranslate } from 'react-admin';
import { setShortcutsOn, useShortcutsOn } from '../ui/keys';
import { Modal } from '../ui/Modal';
import './palette.css';

/** Keyboard shortcuts by scope; the keys of one entry are pressed in succession. */
const groups = {
  everywhere: [
    ['search', ['Ctrl', 'K']],
    ['sheet', ['?']],
    ['dashboard', ['G', 'D']],
    ['needs', ['G', 'I']],
    ['machines', ['G', 'M']],
    ['clients', ['G', 'C']],
    ['users', ['G', 'U']],
    ['account', ['G', 'A']],
    ['close', ['Esc']],
  ],
  list: [
    ['find', ['/']],
    ['add', ['N']],
    ['walk', ['↑', '↓']],
    ['open', ['Enter']],
    ['peek', ['Space']],
    ['tick', ['X']],
    ['range', ['Shift', '↓']],
    ['cells', ['→']],
    ['cell', ['F2']],
    ['next_cell', ['Tab']],
  ],
  inbox: [
    ['walk', ['↑', '↓']],
    ['acknowledge', ['A']],
    ['assign', ['E']],
    ['snooze', ['S']],
    ['open', ['Enter']],
  ],
  record: [
    ['edit', ['E']],
    ['next', ['J']],
    ['previous', ['K']],
    ['save', ['Ctrl', 'S']],
  ],
} as const;

/** All keyboard shortcuts, and the switch for single-letter shortcuts. */
export const KeySheet = ({ onClose }: { onClose: () => void }) => {
  const translate = useTranslate();
  const isOn = useShortcutsOn();
  return (
    <Modal title={translate('keys.title')} onClose={onClose}>
      {/* Focused on opening: otherwise a small screen would scroll to the switch at the end. */}
      <div className="sl-keys" tabIndex={-1}>
        {Object.entries(groups).map(([group, keys]) => (
          <section key={group}>
            <h3>{translate(`keys.${group}`)}</h3>
            <dl>
              {keys.map(([name, combination]) => (
                <div key={name}>
                  <dt>{translate(`keys.${name}`)}</dt>
                  <dd>
                    {combination.map((key) => (
                      <kbd key={key}>{key === 'Space' ? translate('keys.space') : key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="sl-keys-switch">
        <input type="checkbox" checked={isOn} onChange={({ target }) => setShortcutsOn(target.checked)} />
        {translate('keys.letters')}
      </label>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={onClose}>
          {translate('frame.close')}
        </button>
      </div>
    </Modal>
  );
};

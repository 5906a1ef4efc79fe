import './outbox.css';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { serverTimeOf } from '../i18n/serverClock';
import { discardEntry, type OutboxEntry, retryEntry, startOutbox, useOutbox } from '../providers/outbox';
import { useConfirm } from '../ui/ConfirmProvider';
import { Icon } from '../ui/Icon';
import { Modal } from '../ui/Modal';
import { ProblemText } from '../ui/ProblemText';
import { RelativeTime } from '../ui/RelativeTime';

/** Shows how many entries are waiting to be sent or were rejected, and lists them. Sends them in the background. */
export function OutboxBar() {
  const translate = useTranslate();
  const entries = useOutbox();
  const [isOpen, setOpen] = useState(false);
  useEffect(startOutbox, []);
  const refusedCount = entries.filter(({ refusal }) => refusal !== undefined).length;
  if (entries.length === 0 && !isOpen) return null;
  return (
    <>
      <p className="sl-unreachable sl-outbox-bar" role="status">
        <Icon name={refusedCount > 0 ? 'warning' : 'upload'} size={18} />
        <button type="button" onClick={() => setOpen(true)}>
          {refusedCount > 0
            ? translate('outbox.refused_count', { smart_count: refusedCount })
            : translate('outbox.count', { smart_count: entries.length })}
        </button>
      </p>
      {isOpen && (
        <Modal title={translate('outbox.title')} onClose={() => setOpen(false)}>
          <p>{translate(entries.length === 0 ? 'outbox.empty' : 'outbox.text')}</p>
          <ol className="sl-outbox">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </Modal>
      )}
    </>
  );
}

function Entry({ entry: { id = 0, kind, about, words, madeAt, files, refusal } }: { entry: OutboxEntry }) {
  const translate = useTranslate();
  const confirm = useConfirm();
  const discard = async () => {
    const confirmed = await confirm({
      title: translate('outbox.discard_title'),
      description: translate('outbox.discard_text'),
      button: translate('outbox.discard'),
    });
    if (confirmed) await discardEntry(id);
  };
  return (
    <li>
      <p className="sl-outbox-head">
        <strong>{translate(`outbox.${kind}`, { about })}</strong>
        <RelativeTime value={new Date(serverTimeOf(madeAt)).toISOString()} />
      </p>
      {words && <p>{words}</p>}
      {files.length > 0 && <p>{translate('alerting.report.photos', { smart_count: files.length })}</p>}
      {refusal !== undefined && (
        <ProblemText>{translate('outbox.refused', { reason: translate(refusal, { _: refusal }) })}</ProblemText>
      )}
      <p className="sl-buttons">
        <button type="button" className="sl-button" onClick={() => void retryEntry(id)}>
          {translate('outbox.retry')}
        </button>
        <button type="button" className="sl-button sl-button-danger" onClick={() => void discard()}>
          {translate('outbox.discard')}
        </button>
      </p>
    </li>
  );
}

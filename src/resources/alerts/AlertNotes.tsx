import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import type { AlertNote } from '../../../schema/endpoints/alerts';
import type { alerts } from '../../../schema/entities/alerts';
import { isPermitted } from '../../crud/shared/entities';
import { call } from '../../providers/call';
import { submitEntry } from '../../providers/outbox';
import { RelativeTime } from '../../ui/RelativeTime';

/** The history of an alert in chronological order, and an input for a comment. */
export function AlertNotes({ alert }: { alert: Row<typeof alerts> }) {
  const translate = useTranslate();
  const { data: notes = [] } = useQuery({
    queryKey: ['alerts', 'notes', alert.id],
    queryFn: async ({ signal }) => (await call('GET /alerts/{id}/notes', { params: { id: alert.id }, signal })).data,
  });
  // Notes from a machine's public page have no author.
  const publicPage = translate('alerting.public_page');
  /** When the alert ended by itself. If a person closed it, that is one of the notes. */
  const endedAt = alert.state === 'closed' && !alert.closed_by ? alert.closed_at : null;
  const isLater = ({ at }: AlertNote) => endedAt !== null && Date.parse(at) > Date.parse(endedAt);
  const renderNote = ({ id, kind, name, text, at }: AlertNote) => (
    <li key={id}>
      <span className="sl-alert-who">
        <span>{translate(`alerting.done.${kind}`, { name: name || publicPage })}</span>
        <RelativeTime value={at} />
      </span>
      {kind === 'photo' ? (
        <Photo name={text} title={translate('alerting.done.photo', { name: name || publicPage })} />
      ) : (
        text && <p>{text}</p>
      )}
    </li>
  );
  return (
    <section className="sl-section sl-alert-notes" aria-labelledby="alert-notes">
      <h2 id="alert-notes">{translate('alerting.notes')}</h2>
      <ol>
        {alert.metric !== 'reported' && (
          <li className="sl-alert-who">
            <span>{translate('alerting.found')}</span>
            <RelativeTime value={alert.opened_at} />
          </li>
        )}
        {notes.filter((note) => !isLater(note)).map(renderNote)}
        {endedAt !== null && (
          <li className="sl-alert-who">
            <span>{translate('alerting.ended')}</span>
            <RelativeTime value={endedAt} />
          </li>
        )}
        {notes.filter(isLater).map(renderNote)}
      </ol>
      {isPermitted('alerts.acknowledge') && <CommentForm alert={alert} />}
    </section>
  );
}

/** A photo that opens in full size. */
const Photo = ({ name, title }: { name: string | null; title: string }) => (
  <a href={`/storage/images/${name}`} target="_blank" rel="noreferrer">
    <img className="sl-alert-photo" src={`/storage/images/${name}`} alt={title} loading="lazy" />
  </a>
);

function CommentForm({ alert }: { alert: Row<typeof alerts> }) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const id = useId();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { isSent } = await submitEntry({
        kind: 'note',
        about: alert.summary ?? '',
        words: text,
        path: `alerts/${alert.id}/comments`,
        body: { comment: text },
        files: [],
      });
      setText('');
      if (!isSent) notify('outbox.waiting', { type: 'info' });
      await client.invalidateQueries({ queryKey: ['alerts'] });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      <label className="sl-form-field-label" htmlFor={id}>
        {translate('alerting.comment')}
      </label>
      <textarea
        id={id}
        className="sl-input sl-textarea"
        rows={3}
        maxLength={4000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className="sl-button" disabled={isBusy || text.trim() === ''}>
        {translate('alerting.send')}
      </button>
    </form>
  );
}

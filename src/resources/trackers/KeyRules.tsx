import '../../crud/fields/fields.css';
import './trackers.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocaleState, useNotify, useTranslate } from 'react-admin';
import { keyRulePresets } from '../../../schema/dsl/keyRules';
import { call } from '../../providers/call';
import { patchRow } from '../../providers/rows';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { useDialogCall } from '../../ui/useDialogCall';

interface Props {
  tracker: { id: number; refno: string; key_rules: string[] };
  onClose: () => void;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Edits how the messages of a tracker are read, beside what its last messages come to mean by it. */
export function KeyRules({ tracker, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const id = useId();
  const [text, setText] = useState(tracker.key_rules.join('\n'));
  const { run, isBusy, problem } = useDialogCall();
  const params = { id: tracker.id };
  const key_rules = [...new Set(linesOf(text))];
  const preview = useMutation({
    mutationFn: () => call('POST /trackers/{id}/preview', { params, body: { key_rules } }),
  });

  const save = (isReplayed: boolean) =>
    run(async () => {
      await patchRow('trackers', tracker.id, { key_rules });
      const count = isReplayed ? (await call('POST /trackers/{id}/replay', { params })).data.messages : 0;
      notify(isReplayed ? 'trackers.keys_replayed' : 'trackers.keys_saved', {
        type: 'success',
        messageArgs: { smart_count: count },
      });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    });

  return (
    <Modal title={translate('trackers.keys_title', { tracker: tracker.refno })} onClose={onClose}>
      <p>{translate('trackers.keys_text')}</p>
      <fieldset className="sl-key-presets">
        <legend>{translate('trackers.keys_add')}</legend>
        {(Object.keys(keyRulePresets) as (keyof typeof keyRulePresets)[]).map((name) => (
          <button
            key={name}
            type="button"
            className="sl-button"
            onClick={() => setText([...new Set([...linesOf(text), ...keyRulePresets[name]])].join('\n'))}
          >
            {translate(`trackers.keys_${name}`)}
          </button>
        ))}
      </fieldset>
      <div className="sl-field" data-wrong={problem !== undefined}>
        <label htmlFor={id}>{translate('trackers.keys_rules')}</label>
        <textarea
          id={id}
          className="sl-input sl-textarea"
          rows={6}
          spellCheck={false}
          value={text}
          placeholder="batteryLevel -> battery"
          aria-invalid={problem !== undefined}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {problem && (
        <p className="sl-field-problem" role="alert">
          {problem}
        </p>
      )}
      <Preview messages={preview.data?.data} error={preview.error?.message} />
      <DialogActions
        label={translate('trackers.keys_replay')}
        onClose={onClose}
        onAct={() => void save(true)}
        isDisabled={isBusy}
      >
        <button type="button" className="sl-button" onClick={() => preview.mutate()}>
          {translate('trackers.keys_preview')}
        </button>
        <button type="button" className="sl-button" disabled={isBusy} onClick={() => void save(false)}>
          {translate('trackers.keys_save')}
        </button>
      </DialogActions>
    </Modal>
  );
}

type Message = Awaited<ReturnType<typeof previewOf>>['data'][number];
const previewOf = (id: number) => call('POST /trackers/{id}/preview', { params: { id }, body: { key_rules: [] } });

/** Last messages, newest first, each with its meaning. */
function Preview({ messages, error }: { messages: Message[] | undefined; error: string | undefined }) {
  const translate = useTranslate();
  const [locale] = useLocaleState();
  if (error)
    return (
      <p className="sl-field-problem" role="alert">
        {error}
      </p>
    );
  if (!messages) return null;
  if (messages.length === 0) return <p>{translate('trackers.keys_empty')}</p>;
  return (
    <table className="sl-key-preview">
      <caption>{translate('trackers.keys_received')}</caption>
      <tbody>
        {messages.map(({ received_at, sent, read }) => (
          <tr key={`${received_at} ${sent}`}>
            <td>{new Date(received_at).toLocaleTimeString(locale)}</td>
            <td>
              <code>{sent}</code>
            </td>
            <td>
              {read
                ? [
                    translate(`resources.machines.choices.status.${read.state}`),
                    read.battery === null ? '' : `${read.battery} %`,
                  ]
                    .filter((part) => part !== '')
                    .join(', ')
                : translate('trackers.keys_unread')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

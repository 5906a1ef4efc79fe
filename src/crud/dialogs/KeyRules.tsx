import '../fields/fields.css';
import './keyRules.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { keyRulePresets } from '../../../schema/dsl/keyRules';
import type { EndpointResponse } from '../../../schema/endpoints';
import { formatDateTime, formatPercent } from '../../i18n/format';
import { call } from '../../providers/call';
import { errorMessage } from '../../providers/errorMessage';
import { patchRow } from '../../providers/rows';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import { ProblemText } from '../../ui/ProblemText';
import { useDialogCall } from '../../ui/useDialogCall';
import { useLanguage } from '../shared/useLanguage';

interface Props {
  /** Owner of the rules: one tracker, or a machine type, whose rules apply to trackers without their own. */
  resource: 'trackers' | 'types';
  id: number;
  name: string;
  rules: readonly string[];
  onClose: () => void;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Edits the rules by which messages of a tracker or machine type are read, and previews the latest messages under them.
 */
export function KeyRules({ resource, id, name, rules, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const inputId = useId();
  const [text, setText] = useState(rules.join('\n'));
  const { run, isBusy, problem } = useDialogCall();
  const params = { id };
  const isTracker = resource === 'trackers';
  const key_rules = [...new Set(linesOf(text))];
  const preview = useMutation({
    mutationFn: () => call(`POST /${resource}/{id}/preview`, { params, body: { key_rules } }),
  });

  const save = (replay: boolean) =>
    run(async () => {
      await patchRow(resource, id, { key_rules });
      const count = replay ? (await call('POST /trackers/{id}/replay', { params })).data.messages : 0;
      notify(replay ? 'trackers.keys_replayed' : 'trackers.keys_saved', {
        type: 'success',
        messageArgs: { smart_count: count },
      });
      await Promise.all([resource, 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    });

  return (
    <Modal title={translate('trackers.keys_title', { name })} onClose={onClose}>
      <p>{translate(isTracker ? 'trackers.keys_text' : 'trackers.keys_type_text')}</p>
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
        <label htmlFor={inputId}>{translate('trackers.keys_rules')}</label>
        <textarea
          id={inputId}
          className="sl-input sl-textarea"
          rows={6}
          spellCheck={false}
          value={text}
          placeholder="batteryLevel -> battery"
          aria-invalid={problem !== undefined}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {problem && <ProblemText>{problem}</ProblemText>}
      <Preview
        messages={preview.data?.data}
        error={preview.error}
        empty={translate(isTracker ? 'trackers.keys_empty' : 'trackers.keys_type_empty')}
      />
      <DialogActions
        label={translate(isTracker ? 'trackers.keys_replay' : 'trackers.keys_save')}
        onClose={onClose}
        onAct={() => void save(isTracker)}
        isDisabled={isBusy}
      >
        <button type="button" className="sl-button" onClick={() => preview.mutate()}>
          {translate('trackers.keys_preview')}
        </button>
        {isTracker && (
          <button type="button" className="sl-button" disabled={isBusy} onClick={() => void save(false)}>
            {translate('trackers.keys_save')}
          </button>
        )}
      </DialogActions>
    </Modal>
  );
}

type Message = EndpointResponse<'POST /trackers/{id}/preview'>['data'][number];

interface PreviewProps {
  messages: Message[] | undefined;
  error: Error | null;
  /** Text to show if there are no messages. */
  empty: string;
}

/** The latest messages, newest first, each with its interpretation. */
function Preview({ messages, error, empty }: PreviewProps) {
  const translate = useTranslate();
  const language = useLanguage();
  if (error) return <ProblemText>{errorMessage(error, translate)}</ProblemText>;
  if (!messages) return null;
  if (messages.length === 0) return <p>{empty}</p>;
  return (
    <table className="sl-key-preview">
      <caption>{translate('trackers.keys_received')}</caption>
      <tbody>
        {messages.map(({ received_at, sent, read }) => (
          <tr key={`${received_at} ${sent}`}>
            <td>{formatDateTime(received_at, { seconds: true })}</td>
            <td>
              <code>{sent}</code>
            </td>
            <td>
              {read
                ? [
                    translate(`resources.machines.choices.status.${read.state}`),
                    read.battery === null ? '' : formatPercent(read.battery, { language }),
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

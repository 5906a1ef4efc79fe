import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import {
  type MessageMapping,
  sectionTargets,
  type TargetKind,
  targetUnits,
  targetWords,
  type ValueSource,
} from '../../../schema/dsl/messageMapping';
import { runs } from '../../../schema/entities/runs';
import { FormField } from '../../ui/FormField';
import { FormSelect } from '../../ui/FormSelect';
import { type MappingTarget, parseWords, type TreeNode } from './editMapping';
import { useKindLabel, useTargetLabel } from './useTargetLabel';

interface TargetFormProps {
  node: TreeNode;
  onMap: (target: MappingTarget, source: ValueSource) => void;
  onClose: () => void;
}

/** All targets of a single value. Lists can be mapped only in the form of the integration. */
const targets: readonly MappingTarget[] = (Object.keys(sectionTargets) as (keyof MessageMapping)[]).flatMap((kind) => [
  { kind, part: 'machine' as const },
  { kind, part: 'ignored' as const },
  ...Object.entries(sectionTargets[kind])
    .filter(([, type]) => type !== 'list')
    .map(([field]) => ({ kind, part: 'field' as const, field })),
]);
const keyOf = ({ kind, part, field }: MappingTarget) => [kind, part, field].filter(Boolean).join('.');
const typeOf = ({ kind, part, field }: MappingTarget): TargetKind =>
  part === 'machine' ? 'text' : part === 'ignored' ? 'boolean' : (sectionTargets[kind][field as string] as TargetKind);

/** Our words for targets with a fixed set of values; `undefined` for others. */
const wordsOf = ({ kind, field = '' }: MappingTarget): readonly string[] | undefined =>
  targetWords[`${kind}.${field}`] ?? (kind === 'runs' && field === 'mode' ? runs.fields.mode.choices : undefined);

/** Maps a chosen value to a field, with its unit and the vendor's words. */
export function TargetForm({ node, onMap, onClose }: TargetFormProps) {
  const translate = useTranslate();
  const id = useId();
  const targetLabel = useTargetLabel();
  const kindLabel = useKindLabel();
  const [key, setKey] = useState('');
  const [unit, setUnit] = useState('');
  const [zone, setZone] = useState('');
  const [words, setWords] = useState(`${node.text} = `);
  const target = targets.find((candidate) => keyOf(candidate) === key);
  const type = target && typeOf(target);
  const units: readonly string[] = type ? targetUnits[type] : [];
  const allowedWords = target && wordsOf(target);
  const hasWords = type === 'word' || type === 'boolean';
  const translatedUnits = ['percent', 'share', 'unix_s', 'unix_ms'];

  const addMapping = () => {
    if (!target) return;
    const wordMap = hasWords ? parseWords(words) : undefined;
    const sourceUnit = unit || zone.trim();
    onMap(target, { ...(sourceUnit && { unit: sourceUnit }), ...(wordMap && { words: wordMap }) });
  };
  return (
    <div className="sl-target-form">
      <p>
        <code>{node.path}</code> <span>{node.text}</span>
      </p>
      <FormSelect
        label={translate('integrations.becomes')}
        value={key}
        onChange={({ target: { value } }) => {
          setKey(value);
          // Units and time zone apply to the type of the former target.
          setUnit('');
          setZone('');
        }}
      >
        <option value="">{translate('integrations.choose')}</option>
        {(['runs', 'states'] as const).map((kind) => (
          <optgroup key={kind} label={kindLabel(kind)}>
            {targets
              .filter((candidate) => candidate.kind === kind)
              .map((candidate) => (
                <option key={keyOf(candidate)} value={keyOf(candidate)}>
                  {targetLabel(candidate)}
                </option>
              ))}
          </optgroup>
        ))}
      </FormSelect>
      {units.length > 0 && (
        <FormSelect
          label={translate('integrations.unit')}
          value={unit}
          onChange={({ target: { value } }) => setUnit(value)}
        >
          <option value="">{translate('integrations.unit_plain')}</option>
          {units.map((candidate) => (
            <option key={candidate} value={candidate}>
              {translatedUnits.includes(candidate) ? translate(`integrations.unit_${candidate}`) : candidate}
            </option>
          ))}
        </FormSelect>
      )}
      {type === 'instant' && unit === '' && (
        <FormField
          label={translate('integrations.zone')}
          placeholder="Europe/Berlin"
          value={zone}
          onChange={({ target: { value } }) => setZone(value)}
        />
      )}
      {hasWords && (
        <div className="sl-field">
          <label htmlFor={`${id}-words`}>{translate('integrations.words')}</label>
          <textarea
            id={`${id}-words`}
            className="sl-input sl-textarea"
            rows={3}
            spellCheck={false}
            value={words}
            aria-describedby={`${id}-words-help`}
            onChange={({ target: { value } }) => setWords(value)}
          />
          <p className="sl-field-help" id={`${id}-words-help`}>
            {translate('integrations.words_text', {
              ours: allowedWords?.join(', ') ?? 'true, false',
            })}
          </p>
        </div>
      )}
      <div className="sl-mapping-actions">
        <button type="button" className="sl-button sl-button-primary" disabled={!target} onClick={addMapping}>
          {translate('integrations.map')}
        </button>
        <button type="button" className="sl-button" onClick={onClose}>
          {translate('dialogs.close')}
        </button>
      </div>
    </div>
  );
}

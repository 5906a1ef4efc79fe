import { useQueryClient } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { MessageMapping } from '../../../schema/dsl/messageMapping';
import type { integrations } from '../../../schema/entities/integrations';
import { mappingPresets } from '../../../schema/shared/mappingPresets';
import { patchRow } from '../../providers/rows';
import { ProblemText } from '../../ui/ProblemText';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { useDialogCall } from '../../ui/useDialogCall';
import { assignPath, buildTree, removeTarget, type TreeNode } from './editMapping';
import { MappedTable } from './MappedTable';
import { MappingPreview } from './MappingPreview';
import { MessageTree } from './MessageTree';
import { TargetForm } from './TargetForm';

/** Editor of a mapping: the user clicks values in an example message, and a preview shows what the mapping reads. */
export function MappingTab({ integration }: { integration: Row<typeof integrations> }) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const exampleId = useId();
  const { id, preset, mapping: stored } = integration;
  const example = (useLocation().state as { example?: string } | null)?.example;
  const [text, setText] = useState(example === undefined ? '' : indent(example));
  const [ownMapping, setOwnMapping] = useState(stored as MessageMapping | null);
  const [selectedNode, setSelectedNode] = useState<TreeNode>();
  const { run, isBusy, problem } = useDialogCall();
  const mapping = ownMapping && Object.keys(ownMapping).length > 0 ? ownMapping : mappingPresets[preset];
  const debouncedText = useDebouncedValue(text, 400);
  const message = useMemo(() => parseText(debouncedText), [debouncedText]);
  const nodes = useMemo(() => (message ? buildTree(message.value) : []), [message]);
  const isOwn = mapping === ownMapping;

  const save = () =>
    run(async () => {
      await patchRow('integrations', id, { mapping: ownMapping });
      await client.invalidateQueries({ queryKey: ['integrations'] });
      notify('integrations.saved', { type: 'success' });
    });

  return (
    <div className="sl-mapping">
      <section className="sl-section" aria-labelledby={`${exampleId}-title`}>
        <h2 id={`${exampleId}-title`}>{translate('integrations.example')}</h2>
        <div className="sl-field" data-wrong={debouncedText !== '' && !message}>
          <label htmlFor={exampleId}>{translate('integrations.example_text')}</label>
          <textarea
            id={exampleId}
            className="sl-input sl-textarea"
            rows={message ? 4 : 10}
            spellCheck={false}
            value={text}
            aria-invalid={debouncedText !== '' && !message}
            onChange={({ target }) => setText(target.value)}
          />
          {debouncedText !== '' && !message && <ProblemText>{translate('integrations.example_wrong')}</ProblemText>}
        </div>
        {message && <MessageTree nodes={nodes} selectedPath={selectedNode?.path} onChoose={setSelectedNode} />}
        {selectedNode && (
          <TargetForm
            key={selectedNode.path}
            node={selectedNode}
            onMap={(target, source) => {
              setOwnMapping(assignPath(mapping, target, { ...source, path: selectedNode.path }));
              setSelectedNode(undefined);
            }}
            onClose={() => setSelectedNode(undefined)}
          />
        )}
      </section>
      <div>
        {message && <MappingPreview id={id} message={debouncedText} mapping={mapping} />}
        <section className="sl-section" aria-labelledby={`${exampleId}-mapped`}>
          <h2 id={`${exampleId}-mapped`}>{translate('integrations.mapped')}</h2>
          {!isOwn && preset !== 'custom' && <p>{translate('integrations.of_preset')}</p>}
          <div className="sl-mapping-actions">
            <button
              type="button"
              className="sl-button sl-button-primary"
              disabled={isBusy || ownMapping === stored}
              onClick={() => void save()}
            >
              {translate('integrations.save')}
            </button>
            {isOwn && preset !== 'custom' && (
              <button type="button" className="sl-button" onClick={() => setOwnMapping(null)}>
                {translate('integrations.to_preset')}
              </button>
            )}
          </div>
          {problem && <ProblemText>{problem}</ProblemText>}
          <MappedTable mapping={mapping} onRemove={(target) => setOwnMapping(removeTarget(mapping, target))} />
        </section>
      </div>
    </div>
  );
}

function parseText(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const indent = (text: string): string => {
  const message = parseText(text);
  return message ? JSON.stringify(message.value, null, 2) : text;
};

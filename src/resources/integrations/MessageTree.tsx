import { useTranslate } from 'react-admin';
import type { TreeNode } from './editMapping';

interface MessageTreeProps {
  nodes: readonly TreeNode[];
  /** Path of the value that is being mapped. */
  selectedPath: string | undefined;
  onChoose: (node: TreeNode) => void;
}

/** The values of a message, indented by depth. Users click one to map it. */
export function MessageTree({ nodes, selectedPath, onChoose }: MessageTreeProps) {
  const translate = useTranslate();
  return (
    <>
      <p>{translate('integrations.tree_text')}</p>
      <ul className="sl-message-tree" aria-label={translate('integrations.tree')}>
        {nodes.map((node) => (
          <li key={node.path} style={{ paddingInlineStart: `${node.depth * 16}px` }}>
            {node.text === undefined ? (
              <span>{node.label}</span>
            ) : (
              <button
                type="button"
                aria-pressed={node.path === selectedPath}
                title={node.path}
                onClick={() => onChoose(node)}
              >
                <span>{node.label}</span> <code>{node.text}</code>
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

import { useTranslate } from 'react-admin';
import type { MessageMapping } from '../../../schema/dsl/messageMapping';
import { IconButton } from '../../ui/IconButton';
import { type MappingTarget, mappedValues } from './editMapping';
import { useKindLabel, useTargetLabel } from './useTargetLabel';

interface MappedTableProps {
  mapping: MessageMapping;
  onRemove: (target: MappingTarget) => void;
}

/** Table of mapped values, grouped by kind. */
export function MappedTable({ mapping, onRemove }: MappedTableProps) {
  const translate = useTranslate();
  const targetLabel = useTargetLabel();
  const kindLabel = useKindLabel();
  const values = mappedValues(mapping);
  if (values.length === 0) return <p>{translate('integrations.mapped_none')}</p>;
  return (
    <div className="sl-mapped">
      {(['runs', 'states'] as const).map((kind) => {
        const valuesOfKind = values.filter((value) => value.kind === kind);
        const objectPaths = [mapping[kind]?.each ?? '$'].flat();
        return (
          valuesOfKind.length > 0 && (
            <table key={kind}>
              <caption>
                {kindLabel(kind)} <small>{`${translate('integrations.each')}: ${objectPaths.join(' · ')}`}</small>
              </caption>
              <thead>
                <tr>
                  <th scope="col">{translate('integrations.field')}</th>
                  <th scope="col">{translate('integrations.path')}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {valuesOfKind.map((line) => (
                  <tr key={`${line.part} ${line.field}`}>
                    <th scope="row">{targetLabel(line)}</th>
                    <td>
                      <code>{line.paths.join(' · ') || line.value}</code>
                      {line.unit && <small> {line.unit}</small>}
                      {line.wordCount > 0 && <small>{` ${translate('integrations.words')}: ${line.wordCount}`}</small>}
                    </td>
                    <td>
                      <IconButton
                        icon="close"
                        label={translate('integrations.remove', { field: targetLabel(line) })}
                        size={16}
                        onClick={() => onRemove(line)}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        );
      })}
    </div>
  );
}

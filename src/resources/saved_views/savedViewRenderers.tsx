/** Renderers of saved view fields, with the labels of the list that the view belongs to. */
import { useTranslate } from 'ra-core';
import { type ReactNode, Suspense } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { DisplayProps } from '../../crud/fields/renderers';
import type { SavedView } from '../../crud/list/savedView';
import { findEntity } from '../../crud/shared/entities';
import { lazyPage } from '../../ui/lazyPage';

const ViewQuery = lazyPage(() => import('./ViewQuery'), 'ViewQuery');

const withListEntity = (draw: (props: DisplayProps, entity: Entity) => ReactNode) => (props: DisplayProps) => {
  const entity = findEntity(props.record.resource);
  return entity ? draw(props, entity) : String(props.value);
};

export const savedViewRenderers = {
  resource: withListEntity((_, { name }) => <Label text={`resources.${name}.plural`} />),
  query: withListEntity(({ record }, entity) => (
    <Suspense fallback={null}>
      <ViewQuery entity={entity} view={record as SavedView} />
    </Suspense>
  )),
  columns: withListEntity(({ value }, { name }) => (
    <span className="sl-tags">
      {(value as string[]).map((column) => (
        <span key={column} className="sl-tag">
          <Label text={`resources.${name}.fields.${column}`} />
        </span>
      ))}
    </span>
  )),
  widths: withListEntity(({ value }, { name }) => (
    <span className="sl-tags">
      {(value as string[]).map((columnWidth) => {
        const [column, width] = columnWidth.split(':');
        return (
          <span key={columnWidth} className="sl-tag">
            <Label text={`resources.${name}.fields.${column}`} />
            {`\u00a0${width}\u00a0px`}
          </span>
        );
      })}
    </span>
  )),
};

const Label = ({ text }: { text: string }) => <>{useTranslate()(text)}</>;

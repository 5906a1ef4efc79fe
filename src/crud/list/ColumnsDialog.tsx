import { useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { type Columns, identityOf } from './columns';

interface ColumnsDialogProps {
  entity: Entity;
  columns: Columns;
  onClose: () => void;
}

/**
 * Shows, hides and orders columns: by checkbox, dragging, or arrow buttons. The list behind the dialog updates
 * immediately.
 */
export const ColumnsDialog = ({ entity, columns, onClose }: ColumnsDialogProps) => {
  const translate = useTranslate();
  const [dragged, setDragged] = useState<string>();
  const [announcement, setAnnouncement] = useState('');
  const visibleNames = [...(columns.picture ? [columns.picture] : []), ...columns.visible.map(({ name }) => name)];
  const identity = identityOf(entity, visibleNames);
  const movable = visibleNames.filter((name) => name !== identity);
  const hiddenNames = columns.available.map(({ name }) => name).filter((name) => !visibleNames.includes(name));
  const label = (name: string) => translate(`resources.${entity.name}.fields.${name}`);
  const choose = (names: readonly string[]) => columns.choose([identity, ...names]);
  const moveColumn = (name: string, index: number) => {
    const others = movable.filter((other) => other !== name);
    choose([...others.slice(0, index), name, ...others.slice(index)]);
    setAnnouncement(translate('list.column_moved', { column: label(name), position: index + 2 }));
  };
  return (
    <Modal title={translate('list.edit_columns')} onClose={onClose}>
      <ul className="sl-columns">
        <li>
          <label>
            <input type="checkbox" checked disabled />
            {label(identity)}
          </label>
        </li>
        {movable.map((name, index) => (
          <li
            key={name}
            draggable
            data-dragged={dragged === name}
            onDragStart={() => setDragged(name)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged && dragged !== name) moveColumn(dragged, index);
            }}
          >
            <label>
              <input type="checkbox" checked onChange={() => choose(movable.filter((other) => other !== name))} />
              {label(name)}
            </label>
            <button
              type="button"
              className="sl-icon-button"
              aria-label={translate('list.move_up', { column: label(name) })}
              disabled={index === 0}
              onClick={() => moveColumn(name, index - 1)}
            >
              <Icon name="up" size={16} />
            </button>
            <button
              type="button"
              className="sl-icon-button"
              aria-label={translate('list.move_down', { column: label(name) })}
              disabled={index === movable.length - 1}
              onClick={() => moveColumn(name, index + 1)}
            >
              <Icon name="down" size={16} />
            </button>
          </li>
        ))}
        {hiddenNames.map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={false} onChange={() => choose([...movable, name])} />
              {label(name)}
            </label>
          </li>
        ))}
      </ul>
      <p className="sl-hidden" role="status">
        {announcement}
      </p>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={columns.reset}>
          {translate('list.reset_columns')}
        </button>
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {translate('dialogs.close')}
        </button>
      </div>
    </Modal>
  );
};

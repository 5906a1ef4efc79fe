/** Drag and drop on the fleet board: the dragged item and its target. */
import type { DragEvent } from 'react';

export interface BoardItem {
  entity: 'locations' | 'machines';
  id: number;
  name: string;
  fleet_id: number;
  location_id?: number | null;
}

export interface DropTarget {
  fleet_id: number;
  /** Target location, for machines. */
  location_id?: number;
  name: string;
}

/** Props of a draggable card. */
export const dragHandlers = (item: BoardItem, onDrag: (item: BoardItem | undefined) => void) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.stopPropagation();
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', item.name);
    onDrag(item);
  },
  onDragEnd: () => onDrag(undefined),
});

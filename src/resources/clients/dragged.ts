/** What is moved on the board of fleets, and where to. */
import type { DragEvent } from 'react';

export interface Moved {
  entity: 'locations' | 'machines';
  id: number;
  name: string;
  fleet_id: number;
  location_id?: number | null;
}

export interface DropTarget {
  fleet_id: number;
  /** Of a machine that is dropped on a location. */
  location_id?: number;
  name: string;
}

/** What makes a card one that can be dragged. */
export const dragging = (moved: Moved, onDrag: (moved: Moved | undefined) => void) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.stopPropagation();
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', moved.name);
    onDrag(moved);
  },
  onDragEnd: () => onDrag(undefined),
});

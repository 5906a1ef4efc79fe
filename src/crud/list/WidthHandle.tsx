import { useTranslate } from 'ra-core';
import type { KeyboardEvent, PointerEvent } from 'react';
import { clampWidth, maxWidth, minWidth } from '../../../schema/shared/widths';

interface WidthHandleProps {
  /** Label of the column. */
  label: string;
  /** `undefined` for automatic width. */
  width: number | undefined;
  /** Called with the new width; `undefined` resets to automatic width. */
  onResize: (width: number | undefined) => void;
}

/** Pixels per press of an arrow key, without and with Shift. */
const widthStep = 16;
const largeStep = 64;

/**
 * Handle at the edge of a column heading. Dragging or arrow keys set the width, a double click or Enter fits it to the
 * content, Delete resets it.
 */
export const WidthHandle = ({ label, width, onResize }: WidthHandleProps) => {
  const translate = useTranslate();
  const startDrag = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const column = cellsOf(handle);
    const from = { x: event.clientX, width: headOf(handle).offsetWidth };
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    let x = from.x;
    const width = () => clampWidth(from.width + x - from.x);
    const handleMove = ({ clientX }: globalThis.PointerEvent) => {
      x = clientX;
      setWidths(column, width());
    };
    handle.addEventListener('pointermove', handleMove);
    handle.addEventListener(
      'lostpointercapture',
      () => {
        handle.removeEventListener('pointermove', handleMove);
        if (x !== from.x) onResize(width());
      },
      { once: true },
    );
  };
  const handleKey = (event: KeyboardEvent<HTMLSpanElement>) => {
    const currentWidth = headOf(event.currentTarget).offsetWidth;
    const change = event.shiftKey ? largeStep : widthStep;
    if (event.key === 'ArrowLeft') onResize(clampWidth(currentWidth - change));
    else if (event.key === 'ArrowRight') onResize(clampWidth(currentWidth + change));
    else if (event.key === 'Enter') onResize(fittingWidth(event.currentTarget));
    else if (event.key === 'Delete' || event.key === 'Backspace') onResize(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator of columns, not a thematic break
    <span
      role="separator"
      tabIndex={0}
      className="sl-width"
      aria-orientation="vertical"
      aria-label={translate('list.width_of', { column: label })}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      aria-valuenow={width ?? minWidth}
      aria-valuetext={width === undefined ? translate('list.width_auto') : `${width} px`}
      title={translate('list.width_help')}
      onPointerDown={startDrag}
      onDoubleClick={({ currentTarget }) => onResize(fittingWidth(currentTarget))}
      onKeyDown={handleKey}
    />
  );
};

const headOf = (handle: Element) => handle.closest('th') as HTMLTableCellElement;

/** All cells of the column to which the handle belongs. */
function cellsOf(handle: Element): HTMLTableCellElement[] {
  const head = headOf(handle);
  const rows = [...((head.closest('table') as HTMLTableElement).rows ?? [])];
  return rows.flatMap((row) => row.cells[head.cellIndex] ?? []);
}

/** Sets the width directly on the cells, so that dragging renders nothing. */
function setWidths(cells: readonly HTMLTableCellElement[], width: number): void {
  for (const { style } of cells) {
    style.width = `${width}px`;
    style.minWidth = `${width}px`;
    style.maxWidth = `${width}px`;
  }
}

/** Width of the column's widest content, measured by temporarily removing all limits. */
function fittingWidth(handle: Element): number {
  const cells = cellsOf(handle);
  const table = handle.closest('table') as HTMLTableElement;
  const styles = [table, ...cells].map((element) => element.style.cssText);
  // With reduced motion, each change starts its own transition, and a measurement at its start would return the old
  // width.
  for (const { style } of [table, ...cells]) style.setProperty('transition', 'none', 'important');
  table.style.width = 'max-content';
  for (const { style } of cells) {
    style.width = 'auto';
    style.minWidth = '0';
    style.maxWidth = 'none';
  }
  const width = headOf(handle).getBoundingClientRect().width;
  for (const [index, element] of [table, ...cells].entries()) element.style.cssText = styles[index] as string;
  return clampWidth(Math.ceil(width));
}

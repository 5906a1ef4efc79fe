import { CircleMarker, type LatLngExpression, type Point, type Renderer } from 'leaflet';
import type { MarkerContext } from './drawing';

type Draw = (marker: Omit<MarkerContext, 'colors' | 'isHighlighted'>) => void;

/** Undeclared internal members of Leaflet's canvas renderer and circle marker. */
interface CanvasLayer {
  _renderer?: Renderer & { _ctx?: CanvasRenderingContext2D; _drawing?: boolean };
  _point?: Point;
  _empty(): boolean;
}

/** A circle on the map's canvas that draws itself by a function; Leaflet does the hit testing. */
export class CanvasMark extends CircleMarker {
  private declare draw: Draw;

  constructor(position: LatLngExpression, radius: number, draw: Draw) {
    super(position, { radius, weight: 4 });
    this.draw = draw;
  }

  /** Changes how and how large the mark is drawn. */
  setDrawing(draw: Draw, radius: number): void {
    this.draw = draw;
    if (radius === this.getRadius()) this.redraw();
    else this.setRadius(radius);
  }

  /** Leaflet also calls this outside of a redraw, when there is nothing to draw on. */
  _updatePath(): void {
    const { _renderer: renderer, _point: point } = this as unknown as CanvasLayer;
    if (!renderer?._ctx || !renderer._drawing || !point || (this as unknown as CanvasLayer)._empty()) return;
    this.draw({ context: renderer._ctx, x: point.x, y: point.y, radius: this.getRadius() });
  }
}

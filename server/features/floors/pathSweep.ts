/** Computes the cells that a tool of a given width passes on a path. Pure. */
import type { Point } from '../../../schema/dsl/polygons';
import { type Quad, SweptCells } from './sweptCells';

/** A position on a floor. */
export interface FloorPosition {
  /** Seconds since 1970. */
  t: number;
  /** In metres. */
  x: number;
  y: number;
  /** Heading in radians, counter-clockwise from the x axis. */
  theta?: number | null;
}

/** Maximum seconds between two positions of a known path; VDA 5050 requires a message every 30 s. */
const maxGap = 30;
/**
 * Maximum speed in metres per second, twice that of a ride-on machine. A faster move means that the robot relocalised.
 */
const maxSpeed = 5;
/** Maximum metres between two positions of the same moment. */
const maxJitter = 0.3;
/** Position noise of a standing machine in metres: with a reported heading, and with one derived from the movement. */
const minStep = { withHeading: 0.04, withoutHeading: 0.15 };
/**
 * Maximum radians between two positions of the tool (`Bar`) in a turn. The chord of the outer end then stays within a
 * centimetre of its arc.
 */
const turnStep = Math.PI / 12;
/**
 * Maximum error in metres at the edge of the swept area when a bend is merged into the next move. A bar of half width h
 * that bends by an angle a cuts corners by h (1 - cos a).
 */
export const maxBendError = 0.005;
/**
 * Maximum difference between a reported heading and the direction of a move. These machines cannot drive sideways, so a
 * heading that differs more is ignored.
 */
const maxHeadingError = Math.PI / 4;
/** Minimum length in metres of a move whose direction can refute a reported heading. */
const minDirectedMove = 0.1;

/**
 * Sweeps a bar along the path, as wide as the tool and perpendicular to the heading. If the heading is missing, uses
 * the direction of the move. Does not sweep across gaps in time and jumps.
 */
export class PathSweep {
  readonly cells = new SweptCells();
  #halfWidth = 0;
  #lastPosition: FloorPosition | undefined;
  #heading: number | undefined;
  #travelled = 0;

  /** Starts a path that does not continue the previous one. `width` is that of the tool, in metres. */
  startPath(width: number): void {
    this.#halfWidth = width / 2;
    this.#lastPosition = undefined;
    this.#heading = undefined;
    // The path does not continue the previous one, so everything that it touches counts as another pass.
    this.cells.minPassDistance = Math.max(width, 0.5);
    this.#travelled += 2 * this.cells.minPassDistance;
  }

  /**
   * Adds the next position; positions must be in order of time.
   * @throws TooLarge
   */
  add(to: FloorPosition): void {
    const from = this.#lastPosition;
    if (!from || isJump(from, to)) {
      this.#lastPosition = to;
      this.#heading = undefined;
      return;
    }
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const distance = Math.hypot(dx, dy);
    if (distance < (to.theta == null ? minStep.withoutHeading : minStep.withHeading)) {
      // The machine stands still. The last position is retained, so that a slow drift still becomes a move; a turn on
      // the spot applies at once.
      const heading = this.#heading ?? from.theta;
      if (to.theta != null && heading != null) this.#turn(from, heading, to.theta);
      this.#lastPosition = { ...from, t: to.t, theta: to.theta ?? from.theta };
      return;
    }
    const direction = Math.atan2(dy, dx);
    const start = headingAt(from, direction, distance);
    const end = headingAt(to, direction, distance);
    const headingBefore = this.#heading;
    const isBend = headingBefore !== undefined && this.#isBend(start - headingBefore, distance);
    if (headingBefore !== undefined && !isBend) this.#turn(from, headingBefore, start);
    this.#travelled += distance;
    this.#move(from, isBend ? headingBefore : start, to, end);
    this.#lastPosition = to;
  }

  /**
   * Whether the turn before a move is so small that the bar can turn during the move. This saves two of three polygons.
   */
  #isBend(turn: number, distance: number): boolean {
    const angle = Math.abs(smallestTurn(turn));
    return this.#halfWidth * (1 - Math.cos(angle)) <= maxBendError && this.#halfWidth * angle < distance;
  }

  #turn(position: FloorPosition, from: number, to: number): void {
    const angle = smallestTurn(to - from);
    // A turn too small to sweep is added to the next one.
    const isSwept = Math.abs(angle) > 0.01;
    if (isSwept) this.#move(position, from, position, from + angle);
    this.#heading = isSwept ? to : from;
  }

  #move(from: FloorPosition, start: number, to: FloorPosition, end: number): void {
    const angle = smallestTurn(end - start);
    const steps = Math.max(1, Math.ceil(Math.abs(angle) / turnStep));
    // The two bars of a step intersect if it turns (almost) on the spot.
    const isCrossing = Math.hypot(to.x - from.x, to.y - from.y) <= Math.abs(angle) * this.#halfWidth;
    let bar = this.#bar(from.x, from.y, start);
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      const next = this.#bar(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, start + angle * share);
      if (isCrossing) {
        // Sweeps each half of the bar separately.
        this.cells.touch(quadOf(bar.centre, bar.left, next.left, next.centre), this.#travelled);
        this.cells.touch(quadOf(bar.centre, bar.right, next.right, next.centre), this.#travelled);
      } else this.cells.touch(quadOf(bar.left, next.left, next.right, bar.right), this.#travelled);
      bar = next;
    }
    this.#heading = end;
  }

  #bar(x: number, y: number, heading: number): Bar {
    const [offsetX, offsetY] = [-Math.sin(heading) * this.#halfWidth, Math.cos(heading) * this.#halfWidth];
    return { centre: [x, y], left: [x + offsetX, y + offsetY], right: [x - offsetX, y - offsetY] };
  }
}

/** The tool at one moment. */
interface Bar {
  centre: Point;
  left: Point;
  right: Point;
}

const quadOf = (a: Point, b: Point, c: Point, d: Point): Quad => ({
  xs: [a[0], b[0], c[0], d[0]],
  ys: [a[1], b[1], c[1], d[1]],
});

function isJump(from: FloorPosition, to: FloorPosition): boolean {
  const seconds = to.t - from.t;
  return seconds > maxGap || Math.hypot(to.x - from.x, to.y - from.y) > maxSpeed * seconds + maxJitter;
}

/** Reduces an angle to at most 90° in either direction, because the bar is symmetric. */
const smallestTurn = (angle: number): number => angle - Math.PI * Math.round(angle / Math.PI);

function headingAt({ theta }: FloorPosition, direction: number, distance: number): number {
  if (theta == null) return direction;
  return distance >= minDirectedMove && Math.abs(smallestTurn(theta - direction)) > maxHeadingError ? direction : theta;
}

/** Maximum points of a path. Longer paths are thinned out evenly, because a plan cannot show more. */
const maxPoints = 10_000;

/** Collects points of a path in bounded memory: whenever there are too many, every other one is dropped. */
export class ThinnedPath<Point> {
  private sample: Point[] = [];
  private step = 1;
  private count = 0;
  private last: Point | undefined;

  add(point: Point): void {
    this.last = point;
    if (this.count % this.step === 0) this.sample.push(point);
    this.count += 1;
    if (this.sample.length < maxPoints) return;
    this.sample = this.sample.filter((_, index) => index % 2 === 0);
    this.step *= 2;
  }

  /** Returns the points in order, including the first and the last one. */
  points(): Point[] {
    const isWhole = this.last === undefined || this.sample.at(-1) === this.last;
    return isWhole ? this.sample : [...this.sample, this.last as Point];
  }
}

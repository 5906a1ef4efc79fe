/**
 * Finds the samples of a floor inside polygons, line by line. Pure; computed in steps, because a hall has some 10,000
 * lines.
 */
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { Point } from '../../../schema/dsl/polygons';
import type { ComputationSteps } from '../../shared/steps';
import { cellFrom, crossingAt, heightOfLine, lineBelow, type Span, TooLarge } from './sampleRows';

/** Spans by line. The spans of a line are in order and do not overlap. */
export type SpansByLine = ReadonlyMap<number, readonly Span[]>;

/** Maximum lines times sides of a polygon: a hundred sides of 300 m each, or four of 8 km. */
const maxCrossings = 5_000_000;

/**
 * Returns the samples inside a polygon.
 * @throws TooLarge
 */
export function* polygonSpans(corners: readonly Point[]): ComputationSteps<SpansByLine> {
  const crossings = new Map<number, number[]>();
  let count = 0;
  for (const [index, start] of corners.entries()) {
    const end = corners[(index + 1) % corners.length] as Point;
    const first = lineBelow(Math.min(start[1], end[1])) + 1;
    const last = lineBelow(Math.max(start[1], end[1]));
    count += Math.max(0, last - first + 1);
    if (count > maxCrossings) throw new TooLarge();
    for (let line = first; line <= last; line += 1) {
      addToGroup(crossings, line, crossingAt(start, end, heightOfLine(line)));
    }
    yield;
  }
  return yield* mapLines(crossings, (xs, line) => {
    xs.sort((a, b) => a - b);
    return Array.from({ length: xs.length / 2 }, (_, pair): Span => {
      const [from, to] = xs.slice(2 * pair, 2 * pair + 2) as [number, number];
      return [cellFrom(from, line), cellFrom(to, line)];
    });
  });
}

/** Returns the samples inside any of the sets. */
export function* uniteSpans(spanSets: readonly SpansByLine[]): ComputationSteps<SpansByLine> {
  const lines = new Map<number, Span[]>();
  for (const spanSet of spanSets) {
    for (const [line, spans] of spanSet) for (const span of spans) addToGroup(lines, line, span);
    yield;
  }
  return yield* mapLines(lines, (spans) => {
    const mergedSpans: [number, number][] = [];
    for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
      const last = mergedSpans.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else mergedSpans.push([from, to]);
    }
    return mergedSpans;
  });
}

/** Returns the samples of the first set that are not in the second. */
export const subtractSpans = (spans: SpansByLine, holes: SpansByLine): ComputationSteps<SpansByLine> =>
  mapLines(spans, (lineSpans, line) =>
    lineSpans.flatMap(([from, to]) => {
      const remaining: Span[] = [];
      let start = from;
      for (const [holeFrom, holeTo] of holes.get(line) ?? []) {
        if (holeTo <= start || holeFrom >= to) continue;
        remaining.push([start, holeFrom]);
        start = holeTo;
      }
      return [...remaining, [start, to] as Span];
    }),
  );

export function countSamples(spans: SpansByLine): number {
  let samples = 0;
  for (const lineSpans of spans.values()) for (const [from, to] of lineSpans) samples += to - from;
  return samples;
}

/** Lines processed between two yields. */
const linesPerStep = 512;

function* mapLines<T>(
  lines: ReadonlyMap<number, T>,
  buildSpans: (item: T, line: number) => readonly Span[],
): ComputationSteps<SpansByLine> {
  const spansByLine = new Map<number, readonly Span[]>();
  let count = 0;
  for (const [line, items] of lines) {
    const spans = buildSpans(items, line).filter(([from, to]) => to > from);
    if (spans.length > 0) spansByLine.set(line, spans);
    count += 1;
    if (count % linesPerStep === 0) yield;
  }
  return spansByLine;
}

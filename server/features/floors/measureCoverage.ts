/** Measures how much of a floor's zones was passed. Pure functions. */
import type { Point } from '../../../schema/dsl/polygons';
import type { ComputationSteps } from '../../shared/steps';
import { rowOfLine, type Span, samplesPerCell, squareMetresPerSample } from './sampleRows';
import type { SweptCells } from './sweptCells';
import { countSamples, polygonSpans, type SpansByLine, subtractSpans, uniteSpans } from './zoneSpans';

export interface FloorZone {
  id: number;
  kind: string;
  polygon: readonly Point[];
}

export interface CoverageFigures {
  /**
   * Passed area in zones to be cleaned, without no-go zones; if there are no zones to be cleaned, all passed
   * area outside no-go zones.
   */
  covered_m2: number;
  /** Area within `covered_m2` that was passed more than twice. */
  twice_m2: number;
  /** Null if there are no zones to be cleaned. */
  missed_m2: number | null;
  /** Covered share per zone to be cleaned, from 0 to 1. */
  zones: { id: number; covered: number }[];
}

/** Zones to be cleaned, without the parts in no-go zones. Prepared once for any number of paths. */
export interface CleanZones {
  zones: readonly { id: number; spans: SpansByLine; samples: number }[];
  all: SpansByLine;
  noGo: SpansByLine;
}

/**
 * Prepares the zones of a floor for `measureCoverage`.
 * @throws TooLarge
 */
export function* prepareZones(zones: readonly FloorZone[]): ComputationSteps<CleanZones> {
  const outlines: { id: number; kind: string; spans: SpansByLine }[] = [];
  for (const { id, kind, polygon } of zones)
    if (kind === 'clean' || kind === 'no_go') outlines.push({ id, kind, spans: yield* polygonSpans(polygon) });
  const noGo = yield* uniteSpans(outlines.flatMap(({ kind, spans }) => (kind === 'no_go' ? [spans] : [])));
  const zonesToClean: CleanZones['zones'][number][] = [];
  for (const { id, kind, spans: outline } of outlines) {
    if (kind !== 'clean') continue;
    const spans = noGo.size > 0 ? yield* subtractSpans(outline, noGo) : outline;
    zonesToClean.push({ id, spans, samples: countSamples(spans) });
  }
  return { zones: zonesToClean, all: yield* uniteSpans(zonesToClean.map(({ spans }) => spans)), noGo };
}

/** Measures the zones in steps. `sweptCells` are the cells of all runs together. */
export function* measureCoverage(
  sweptCells: SweptCells,
  { zones, all, noGo }: CleanZones,
): ComputationSteps<CoverageFigures> {
  const { covered, repeated } =
    zones.length > 0 ? yield* countPassed(sweptCells, all) : yield* countPassedOutside(sweptCells, noGo);
  const shares: CoverageFigures['zones'] = [];
  for (const { id, spans, samples } of zones) {
    const passedSamples = samples === 0 ? 0 : (yield* countPassed(sweptCells, spans)).covered;
    shares.push({ id, covered: samples === 0 ? 0 : Math.round((passedSamples / samples) * 10_000) / 10_000 });
  }
  return {
    covered_m2: squareMetres(covered),
    twice_m2: squareMetres(repeated),
    missed_m2: zones.length > 0 ? squareMetres(countSamples(all) - covered) : null,
    zones: shares,
  };
}

/** Like `countPassed`, for everything outside of the spans. */
function* countPassedOutside(
  sweptCells: SweptCells,
  spans: SpansByLine,
): ComputationSteps<{ covered: number; repeated: number }> {
  const inZones = yield* countPassed(sweptCells, spans);
  let [covered, repeated] = [0 - inZones.covered, 0 - inZones.repeated];
  for (const { samples, passes } of sweptCells.tiles) {
    for (let cell = 0; cell < samples.length; cell += 1) {
      const passedSamples = countBits(samples[cell] as number);
      covered += passedSamples;
      if ((passes[cell] as number) > 2) repeated += passedSamples;
    }
    yield;
  }
  return { covered, repeated };
}

/** Counts the passed samples within the spans, and those in cells passed more than twice. */
function* countPassed(
  sweptCells: SweptCells,
  spans: SpansByLine,
): ComputationSteps<{ covered: number; repeated: number }> {
  let [covered, repeated] = [0, 0];
  const count = (row: number, span: Span, bits: number) => {
    if (span[0] >= span[1]) return;
    sweptCells.eachTouched(row, span, (samples, passes) => {
      const passedSamples = countBits(samples & bits);
      covered += passedSamples;
      if (passes > 2) repeated += passedSamples;
    });
  };
  for (const row of new Set([...spans.keys()].map(rowOfLine))) {
    const lines = Array.from({ length: samplesPerCell }, (_, sample) => spans.get(row * samplesPerCell + sample) ?? []);
    const spanCount = Math.min(...lines.map(({ length }) => length));
    for (let spanIndex = 0; spanIndex < spanCount; spanIndex += 1) {
      // Counts cells inside the zone as a whole, and cells at its edge sample by sample.
      const innerFrom = Math.max(...lines.map((line) => (line[spanIndex] as Span)[0]));
      const innerTo = Math.max(innerFrom, Math.min(...lines.map((line) => (line[spanIndex] as Span)[1])));
      count(row, [innerFrom, innerTo], 2 ** samplesPerCell - 1);
      lines.forEach((line, sample) => {
        const [from, to] = line[spanIndex] as Span;
        count(row, [from, Math.min(innerFrom, to)], 1 << sample);
        count(row, [Math.max(innerTo, from), to], 1 << sample);
      });
    }
    lines.forEach((line, sample) => {
      for (const span of line.slice(spanCount)) count(row, span, 1 << sample);
    });
    yield;
  }
  return { covered, repeated };
}

/** Returns the number of bits set in a 16-bit number. */
function countBits(samples: number): number {
  const pairs = samples - ((samples >> 1) & 0x5555);
  const nibbles = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  const bytes = (nibbles + (nibbles >> 4)) & 0x0f0f;
  return (bytes + (bytes >> 8)) & 0x1f;
}

const squareMetres = (samples: number): number => Math.round(samples * squareMetresPerSample * 100) / 100;

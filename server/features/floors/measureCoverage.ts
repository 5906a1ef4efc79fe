/** What of the zones of a floor was passed. Pure. */
import type { Point } from '../../../schema/dsl/polygons';
import { rowOfLine, type Span, samplesPerCell, squareMetresPerSample } from './sampleRows';
import { type SweptCells, tileSide } from './sweptCells';
import { countSamples, polygonSpans, type SpansByLine, subtractSpans, uniteSpans } from './zoneSpans';

export interface FloorZone {
  id: number;
  kind: string;
  polygon: readonly Point[];
}

export interface CoverageFigures {
  /** Of the zones to be cleaned, less those where no robot may go; without zones to be cleaned, all that was passed. */
  covered_m2: number;
  /** Of that, passed more than twice. */
  twice_m2: number;
  /** Null without a zone to be cleaned. */
  missed_m2: number | null;
  /** Covered share of each zone to be cleaned, from 0 to 1. */
  zones: { id: number; covered: number }[];
}

/** Zones to be cleaned, less those where no robot may go. Prepared once for any number of paths. */
export interface CleanZones {
  zones: readonly { id: number; spans: SpansByLine; samples: number }[];
  all: SpansByLine;
  noGo: SpansByLine;
}

/** @throws TooLarge */
export function prepareZones(zones: readonly FloorZone[]): CleanZones {
  const spansOf = (kind: string) =>
    zones.filter((zone) => zone.kind === kind).map(({ id, polygon }) => ({ id, spans: polygonSpans(polygon) }));
  const noGo = uniteSpans(spansOf('no_go').map(({ spans }) => spans));
  const clean = spansOf('clean').map(({ id, spans }) => {
    const rest = subtractSpans(spans, noGo);
    return { id, spans: rest, samples: countSamples(rest) };
  });
  return { zones: clean, all: uniteSpans(clean.map(({ spans }) => spans)), noGo };
}

export function measureCoverage(swept: SweptCells, { zones, all, noGo }: CleanZones): CoverageFigures {
  const hasZones = zones.length > 0;
  const { covered, often } = countPassed(swept, hasZones ? all : subtractSpans(spansOfTiles(swept), noGo));
  return {
    covered_m2: squareMetres(covered),
    twice_m2: squareMetres(often),
    missed_m2: hasZones ? squareMetres(countSamples(all) - covered) : null,
    zones: zones.map(({ id, spans, samples }) => ({
      id,
      covered: samples === 0 ? 0 : Math.round((countPassed(swept, spans).covered / samples) * 10_000) / 10_000,
    })),
  };
}

/** Samples that were passed, and those in cells that were passed more than twice. */
function countPassed(swept: SweptCells, spans: SpansByLine): { covered: number; often: number } {
  let [covered, often] = [0, 0];
  const count = (row: number, span: Span, bits: number) => {
    if (span[0] >= span[1]) return;
    swept.eachTouched(row, span, (samples, passes) => {
      const passed = bitsOf(samples & bits);
      covered += passed;
      if (passes > 2) often += passed;
    });
  };
  for (const row of new Set([...spans.keys()].map(rowOfLine))) {
    const lines = Array.from({ length: samplesPerCell }, (_, sample) => spans.get(row * samplesPerCell + sample) ?? []);
    const parts = Math.min(...lines.map(({ length }) => length));
    for (let part = 0; part < parts; part += 1) {
      // Cells that lie within the zone as a whole are counted at once, those at its edge by their samples.
      const first = Math.max(...lines.map((line) => (line[part] as Span)[0]));
      const last = Math.max(first, Math.min(...lines.map((line) => (line[part] as Span)[1])));
      count(row, [first, last], 2 ** samplesPerCell - 1);
      lines.forEach((line, sample) => {
        const [from, to] = line[part] as Span;
        count(row, [from, Math.min(first, to)], 1 << sample);
        count(row, [Math.max(last, from), to], 1 << sample);
      });
    }
    lines.forEach((line, sample) => {
      for (const span of line.slice(parts)) count(row, span, 1 << sample);
    });
  }
  return { covered, often };
}

/** All cells of the tiles. */
function spansOfTiles(swept: SweptCells): SpansByLine {
  const lines = tileSide * samplesPerCell;
  return uniteSpans(
    [...swept.tiles].map(
      ({ column, row }): SpansByLine =>
        new Map(
          Array.from({ length: lines }, (_, line) => [
            row * lines + line,
            [[column * tileSide, (column + 1) * tileSide]],
          ]),
        ),
    ),
  );
}

/** Number of bits set of sixteen. */
function bitsOf(samples: number): number {
  const pairs = samples - ((samples >> 1) & 0x5555);
  const nibbles = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  const bytes = (nibbles + (nibbles >> 4)) & 0x0f0f;
  return (bytes + (bytes >> 8)) & 0x1f;
}

const squareMetres = (samples: number): number => Math.round(samples * squareMetresPerSample * 100) / 100;

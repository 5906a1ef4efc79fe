import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { PointPair } from '../../../schema/dsl/fitTransformation';
import type { Point } from '../../../schema/dsl/polygons';

interface Props {
  pairs: readonly PointPair[];
  onChange: (index: number, change: Partial<PointPair>) => void;
}

const labels = {
  map: ['floors.map_x', 'floors.map_y'],
  floor: ['floors.floor_x', 'floors.floor_y'],
} as const;

/** Inputs for the coordinates of pairs of points. */
export function PairFields({ pairs, onChange }: Props) {
  const translate = useTranslate();
  const input = (index: number, side: keyof PointPair, axis: 0 | 1) => {
    const point = pairs[index]?.[side] as Point;
    const name = translate(labels[side][axis], { name: index + 1 });
    return (
      <NumberBox
        key={`${side} ${axis}`}
        label={name}
        value={point[axis]}
        onChange={(value) => onChange(index, { [side]: point.with(axis, value) })}
      />
    );
  };
  return (
    <ol className="sl-floor-list">
      {pairs.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair is identified by its number
        <li key={index} className="sl-floor-pairs">
          {input(index, 'map', 0)}
          {input(index, 'map', 1)}
          {input(index, 'floor', 0)}
          {input(index, 'floor', 1)}
        </li>
      ))}
    </ol>
  );
}

interface NumberBoxProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

/** Number input. Keeps the typed text until blur, since incomplete numbers cannot be parsed. */
function NumberBox({ label, value, onChange }: NumberBoxProps) {
  const [typedText, setTypedText] = useState<string>();
  return (
    <label className="sl-floor-number">
      <span>{label}</span>
      <input
        className="sl-input"
        type="number"
        step="any"
        value={typedText ?? Math.round(value * 1000) / 1000}
        onBlur={() => setTypedText(undefined)}
        onChange={({ target }) => {
          setTypedText(target.value);
          if (target.value !== '') onChange(Number(target.value));
        }}
      />
    </label>
  );
}

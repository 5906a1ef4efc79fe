const [width, height, margin] = [96, 28, 3];

/** A trend from zero without axes, with its last point marked. Decorative: the figure beside it carries the value. */
export const Sparkline = ({ values }: { values: readonly (number | undefined)[] }) => {
  const max = Math.max(...values.map((value) => value ?? 0), 1e-9);
  const x = (index: number) => margin + (index / Math.max(1, values.length - 1)) * (width - 2 * margin);
  const y = (value: number) => height - margin - (value / max) * (height - 2 * margin);
  const points = values.flatMap((value, index) => (value === undefined ? [] : [{ x: x(index), y: y(value) }]));
  const last = points.at(-1);
  return (
    <svg className="sl-sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <polyline
        points={points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--sl-accent)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      {last && <circle cx={last.x} cy={last.y} r="2.5" fill="var(--sl-accent)" />}
    </svg>
  );
};

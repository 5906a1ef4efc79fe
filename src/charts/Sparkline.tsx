const [width, height, margin] = [96, 28, 3];

/** A trend from zero without axes, with its last point marked. Decorative: the figure beside it carries the value. */
export const Sparkline = ({ values }: { values: readonly number[] }) => {
  const max = Math.max(...values, 1e-9);
  const x = (index: number) => margin + (index / Math.max(1, values.length - 1)) * (width - 2 * margin);
  const y = (value: number) => height - margin - (value / max) * (height - 2 * margin);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg className="sl-sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <polyline points={points} fill="none" stroke="var(--sl-accent)" strokeWidth="1.5" strokeLinejoin="round" />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r="2.5" fill="var(--sl-accent)" />
    </svg>
  );
};

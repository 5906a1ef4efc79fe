import { usePlotArea, useYAxisScale } from 'recharts';

/** The name of the plan at the right end of its line, in the chart's margin. `value` is the plan of the last bar. */
export function PlanName({ name, value }: { name: string; value: number }) {
  const plot = usePlotArea();
  const y = useYAxisScale()?.(value);
  return (
    plot &&
    y !== undefined && (
      <text x={plot.x + plot.width + gap} y={y} dominantBaseline="central" fill="var(--sl-text)" fontSize={12}>
        {name}
      </text>
    )
  );
}

const gap = 4;

/** Room for the name, whose letters are at most 7 px wide on average. */
export const planNameWidth = (name: string): number => gap + name.length * 7;

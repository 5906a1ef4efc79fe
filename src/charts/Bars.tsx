import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { niceMarks } from './niceMarks';
import { kindColors, kindFill, Patterns, type SeriesKind } from './Patterns';
import { PlanName, planNameWidth } from './PlanName';

export interface BarsProps {
  /** One entry per bar: short name, full name, and the value of each series. */
  data: readonly ({ name: string; full: string; plan?: number } & Partial<Record<SeriesKind, number>>)[];
  /** From bottom to top. */
  series: readonly { kind: SeriesKind; label: string }[];
  /** Prints a value for axis and tooltip. */
  print: (value: number) => string;
  /** Prints a value of the axis; default: `print`. */
  printTick?: (value: number) => string;
  /** Values marked on the axis, from zero; default: round ones. */
  tickValues?: readonly number[];
  /** Unit above the axis. */
  unit: string;
  /** Description of the chart in one sentence. */
  label: string;
  /** Prefix of element ids, unique on the page. */
  scope: string;
  /** Name of the step line through the `plan` of the data, if any. */
  plan?: string;
  height?: number;
  /** Called with the index of a clicked bar. */
  onBarClick?: (index: number) => void;
}

/** Stacked bars from zero. The only file that knows the chart library; loaded with the first chart. */
export function Bars({
  data,
  series,
  print,
  printTick = print,
  tickValues,
  unit,
  label,
  scope,
  plan,
  height = 280,
  onBarClick,
}: BarsProps) {
  const kinds = series.map(({ kind }) => kind);
  const axisMarks = tickValues ?? niceMarks(maxOf(data, kinds));
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart
        data={[...data]}
        margin={{ top: 32, right: plan ? planNameWidth(plan) : 8, bottom: 0, left: 0 }}
        barCategoryGap="15%"
        title={label}
        {...(onBarClick && {
          cursor: 'pointer',
          onClick: ({ activeTooltipIndex }) => activeTooltipIndex != null && onBarClick(Number(activeTooltipIndex)),
        })}
      >
        <Patterns kinds={kinds} scope={scope} />
        <CartesianGrid vertical={false} stroke="var(--sl-border)" />
        <XAxis
          dataKey="name"
          tickLine={false}
          axisLine={{ stroke: 'var(--sl-control)' }}
          interval="equidistantPreserveStart"
          minTickGap={12}
          tick={{ fill: 'var(--sl-secondary)', fontSize: 12 }}
        />
        <YAxis
          width="auto"
          tickLine={false}
          axisLine={false}
          allowDecimals={false}
          ticks={[...axisMarks]}
          domain={[0, (max: number) => Math.max(max, axisMarks.at(-1) ?? 0)]}
          interval={0}
          tickFormatter={printTick}
          tick={{ fill: 'var(--sl-secondary)', fontSize: 12 }}
          label={{ value: unit, position: 'top', offset: 16, fill: 'var(--sl-secondary)', fontSize: 12 }}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--sl-hover)' }}
          contentStyle={{
            background: 'var(--sl-surface)',
            border: '1px solid var(--sl-border)',
            borderRadius: 8,
            color: 'var(--sl-text)',
            fontSize: 13,
          }}
          itemStyle={{ color: 'var(--sl-text)', padding: 0 }}
          labelFormatter={(_, payload) => (payload[0]?.payload as { full?: string } | undefined)?.full ?? ''}
          formatter={(value, name) => [`${print(Number(value))} ${unit}`, name]}
        />
        {series.map(({ kind, label: name }) => (
          <Bar
            key={kind}
            dataKey={kind}
            name={name}
            stackId="all"
            fill={kindFill(kind, scope)}
            stroke={kindColors[kind]}
            strokeWidth={1}
            isAnimationActive={false}
            maxBarSize={48}
          />
        ))}
        {plan && (
          <>
            {/* A wider line in the surface colour makes the dashes stand out against the bars. */}
            <Line {...planLine} stroke="var(--sl-surface)" strokeWidth={4.5} tooltipType="none" />
            <Line {...planLine} name={plan} stroke="var(--sl-text)" strokeWidth={1.5} strokeDasharray="4 3" />
            <PlanName name={plan} value={data.at(-1)?.plan ?? 0} />
          </>
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

const planLine = {
  dataKey: 'plan',
  type: 'step',
  dot: false,
  activeDot: false,
  isAnimationActive: false,
} as const;

/** The highest bar or plan. */
const maxOf = (data: BarsProps['data'], kinds: readonly SeriesKind[]): number =>
  Math.max(
    0,
    ...data.map((entry) =>
      Math.max(
        entry.plan ?? 0,
        kinds.reduce((sum, kind) => sum + (entry[kind] ?? 0), 0),
      ),
    ),
  );

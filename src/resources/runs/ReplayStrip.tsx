import '../../charts/charts.css';
import { memo, useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { ChartFrame } from '../../charts/ChartFrame';
import { formatClockTime } from '../../charts/segments';
import { type RunPath, stateStretches } from '../../map/plan/runPath';

interface Props {
  path: RunPath;
  /** Milliseconds since the Unix epoch. */
  start: number;
  end: number;
  interruptions: readonly { at: number; text: string }[];
}

/** States during a run, with the charts' patterns, and its numbered interruptions. */
export const ReplayStrip = memo(function ReplayStrip({ path, start, end, interruptions }: Props) {
  const translate = useTranslate();
  const shareOf = (ms: number) => Math.min(Math.max(((ms - start) / (end - start)) * 100, 0), 100);
  const percent = (ms: number) => `${shareOf(ms)}%`;
  const stretches = useMemo(() => stateStretches(path), [path]);
  const labelOf = (state: string) => translate(`resources.machines.choices.status.${state}`);
  const title = translate('plan.states');
  return (
    <ChartFrame
      name="run_states"
      title={title}
      table={() => (
        <table>
          <thead>
            <tr>
              {['machine.from', 'machine.to', 'machine.state'].map((key) => (
                <th key={key} scope="col">
                  {translate(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {stretches.map((stretch) => (
              <tr key={stretch.from}>
                <td>{formatClockTime(stretch.from)}</td>
                <td>{formatClockTime(stretch.to)}</td>
                <td>{labelOf(stretch.state)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    >
      <div className="sl-run-strip" role="img" aria-label={title}>
        <div className="sl-strip__bar">
          {stretches.map(({ state, from, to }) => (
            <i
              key={from}
              className={`is-${state.toLowerCase()}`}
              style={{ left: percent(from), width: `${shareOf(to) - shareOf(from)}%` }}
              title={`${labelOf(state)}, ${formatClockTime(from)} – ${formatClockTime(to)}`}
            />
          ))}
        </div>
        {interruptions.map(({ at, text }, index) => (
          <b key={`${at} ${text}`} style={{ left: percent(at) }} title={text}>
            {index + 1}
          </b>
        ))}
      </div>
    </ChartFrame>
  );
});

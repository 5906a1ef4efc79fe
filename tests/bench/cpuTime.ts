/** CPU time of processes, from `/proc`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Milliseconds of CPU time of a process and all its descendants, including terminated ones. */
export function cpuTime(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
  const ticksOf = (id: number): number =>
    processes.filter(({ parent }) => parent === id).reduce((sum, child) => sum + child.ticks + ticksOf(child.pid), 0);
  const ownTicks = processes.find((stat) => stat.pid === pid)?.ticks ?? 0;
  return ((ownTicks + ticksOf(pid)) * 1000) / ticksPerSecond;
}

/** Clock ticks of a process and of its terminated children; empty if the process is gone. */
function readStat(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return [{ pid, parent: fields[1] as number, ticks }];
  } catch {
    return [];
  }
}

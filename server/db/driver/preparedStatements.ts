/**
 * Decides which statements to prepare: those seen before. A connection keeps prepared statements until it is closed, so
 * one-off texts (a rare combination of filters) must not fill its memory, and the total is limited.
 */
import { isPlannedPerValue } from '../core/statement';

const maxPrepared = 1000;
const maxSeen = 5000;

export class PreparedStatements {
  private readonly seen = new Set<string>();
  private readonly prepared = new Set<string>();

  shouldPrepare(text: string): boolean {
    if (this.prepared.has(text)) return true;
    if (isPlannedPerValue(text)) return false;
    if (!this.seen.delete(text)) {
      if (this.seen.size === maxSeen) this.seen.clear();
      this.seen.add(text);
      return false;
    }
    if (this.prepared.size === maxPrepared) return false;
    this.prepared.add(text);
    return true;
  }
}

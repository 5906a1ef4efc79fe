/**
 * Decides which statements to prepare: any that was seen before. A connection keeps prepared statements until it is
 * closed, so one-off texts (a rare combination of filters) must not fill its memory, and the number of prepared
 * statements is limited.
 */
import { isPlannedPerValue } from '../core/statement';

const maxPrepared = 1000;
const maxSeen = 5000;

interface PreparedOptions {
  /**
   * Milliseconds after which connections are replaced. When the limit is reached and this time has passed, the set is
   * cleared, so that statements that became common later are prepared, too; a connection holds at most twice the limit.
   */
  connectionAge?: number | undefined;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

export class PreparedStatements {
  private readonly seenTexts = new Set<string>();
  private readonly preparedTexts = new Set<string>();
  private startedAt: number;
  private readonly connectionAge: number;
  private readonly now: () => number;

  constructor({ connectionAge = Number.POSITIVE_INFINITY, now = () => performance.now() }: PreparedOptions = {}) {
    this.connectionAge = connectionAge;
    this.now = now;
    this.startedAt = now();
  }

  /** Whether to prepare the statement. Records that it was seen, so that its next use is prepared. */
  shouldPrepare(text: string): boolean {
    if (this.preparedTexts.has(text)) return true;
    if (isPlannedPerValue(text)) return false;
    if (!this.seenTexts.delete(text)) {
      if (this.seenTexts.size === maxSeen) this.seenTexts.clear();
      this.seenTexts.add(text);
      return false;
    }
    if (this.preparedTexts.size === maxPrepared && !this.resetIfDue()) return false;
    this.preparedTexts.add(text);
    return true;
  }

  private resetIfDue(): boolean {
    if (this.now() - this.startedAt < this.connectionAge) return false;
    this.startedAt = this.now();
    this.preparedTexts.clear();
    return true;
  }
}

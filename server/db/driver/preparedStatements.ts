/**
 * Decides which statements to prepare: those seen before. A connection keeps prepared statements until it is closed, so
 * one-off texts (a rare combination of filters) must not fill its memory, and the total is limited.
 */
import { isPlannedPerValue } from '../core/statement';

const maxPrepared = 1000;
const maxSeen = 5000;

export class PreparedStatements {
  private readonly seenTexts = new Set<string>();
  private readonly preparedTexts = new Set<string>();

  shouldPrepare(text: string): boolean {
    if (this.preparedTexts.has(text)) return true;
    if (isPlannedPerValue(text)) return false;
    if (!this.seenTexts.delete(text)) {
      if (this.seenTexts.size === maxSeen) this.seenTexts.clear();
      this.seenTexts.add(text);
      return false;
    }
    if (this.preparedTexts.size === maxPrepared) return false;
    this.preparedTexts.add(text);
    return true;
  }
}

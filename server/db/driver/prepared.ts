/**
 * Which statements are worth preparing: those seen before. A connection keeps what it prepared until it is closed, so
 * texts that come once (a rare combination of filters) must not fill its memory, and there is a limit to all. What
 * looks inside texts is planned anew for each pattern: a plan for any pattern reads a whole list in order where the
 * index of a rare word would find three rows.
 */
const mostPrepared = 1000;
const mostSeen = 5000;

export class Prepared {
  private readonly seen = new Set<string>();
  private readonly kept = new Set<string>();

  isWorth(text: string): boolean {
    if (text.includes(' ilike $')) return false;
    if (this.kept.has(text)) return true;
    if (!this.seen.delete(text)) {
      if (this.seen.size === mostSeen) this.seen.clear();
      this.seen.add(text);
      return false;
    }
    if (this.kept.size === mostPrepared) return false;
    this.kept.add(text);
    return true;
  }
}

/** Limits of a single request. A request that exceeds one gets 400, with a sentence that names the limit. */
export const requestLimits = {
  /** Keys of one JSON object, at any depth. */
  keys: 1000,
  /** Pairs of a form or of a query string. */
  pairs: 1000,
  /**
   * Entries of one JSON array, at any depth, including the ids of a bulk request; for more rows, use a filter.
   * Telemetry has its own limits.
   */
  entries: 10_000,
  /** References in one field. */
  references: 1000,
  /** Characters of each value of a filter or search. */
  characters: 250,
  /** Alternatives in one filter, except ids. */
  alternatives: 100,
  /** Words of a search. */
  words: 20,
  /** Filters of one request. */
  filters: 50,
  /** Rows in the included lists of one response. */
  included: 5000,
  /** Keys that one request sorts by. */
  sorts: 20,
} as const;

/** Maximum problems that a 422 lists and names that a 400 lists; the rest is only counted. */
export const maxListedProblems = 20;

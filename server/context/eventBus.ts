/** Live updates for open pages: published after a change, delivered by `GET /events`. */
export interface LiveEvent {
  /** Entity and row of the event; they decide who may see it. */
  entity: string;
  id: number;
  type: 'created' | 'updated' | 'deleted';
  /**
   * Changed values that a page applies without another request. Fields that a listener may not read are removed before
   * delivery.
   */
  payload?: Record<string, unknown>;
}

/**
 * Event with its sequence number. Numbers are delivered in order: a reader that has received n has missed none below
 * it.
 */
export type NumberedEvent = LiveEvent & { eventId: number };

export interface EventBus {
  /** Number of the last event delivered to subscribers. */
  readonly position: number;
  /**
   * Publishes to all processes on the same database. Must be called after the commit. Batched: the promise resolves
   * when the batch is written.
   */
  publish(events: readonly LiveEvent[]): Promise<void>;
  /** Receives the events of all processes. Returns a function that unsubscribes. */
  subscribe(listener: (events: readonly NumberedEvent[]) => void): () => void;
}

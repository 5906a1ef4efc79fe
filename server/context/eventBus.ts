/** Events for open pages. Written by whoever changes something, read by `GET /events`. */
export interface LiveEvent {
  /** The entity and row it is about: decides who may see it. */
  entity: string;
  id: number;
  type: 'created' | 'updated' | 'deleted';
  /** Changed values a page can apply without asking again; hidden fields are removed for each listener. */
  payload?: Record<string, unknown>;
}

/** An event with its number: numbers become visible in order, so whoever has read up to one has missed none. */
export type NumberedEvent = LiveEvent & { eventId: number };

export interface EventBus {
  /** The number of the last event that subscribers were handed. */
  readonly position: number;
  /**
   * Tells every process of the same database, a moment later and together with other news. Call it after the commit;
   * who waits for it waits for that moment.
   */
  publish(events: readonly LiveEvent[]): Promise<void>;
  /** Hears what any process publishes; gives back how to stop. */
  subscribe(heard: (events: readonly NumberedEvent[]) => void): () => void;
}

/** Events for open pages. Written by whoever changes something, read by `GET /events`. */
export interface LiveEvent {
  /** The entity and row it is about: decides who may see it. */
  entity: string;
  id: number;
  type: 'created' | 'updated' | 'deleted';
  /** Changed values a page can apply without asking again; hidden fields are removed for each listener. */
  payload?: Record<string, unknown>;
}

export interface Live {
  /** Tells every process of the same database, a moment later and together with other news. Call it after the commit; who waits for it waits for that moment. */
  publish(events: readonly LiveEvent[]): Promise<void>;
  /** Hears what any process publishes; gives back how to stop. */
  subscribe(heard: (events: readonly (LiveEvent & { eventId: number })[]) => void): () => void;
}

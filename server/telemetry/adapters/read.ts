/** Adapters by protocol, for incoming messages and for replays. */
import type { Env } from '../../context/env';
import { InvalidMessage, type Protocol } from '../timeline/observation';
import { readOsmAnd } from './osmand';
import { itemsOf, readOwn } from './own';
import { readOwnTracks } from './owntracks';
import type { AdapterInput } from './reading';
import { readThingsBoard, thingsBoardTopics } from './thingsboard';
import { actionName, readVda5050, vda5050Topics } from './vda5050';

/** A message as received. */
export interface Raw {
  mediaType: string;
  body: Uint8Array;
}

export interface Settings {
  /** Names of VDA 5050 actions that count as cleaning, normalised by `actionName`. */
  cleaning: ReadonlySet<string>;
}

export const adapterSettings = ({ env }: { env: Pick<Env, 'cleaningActions'> }): Settings => ({
  cleaning: new Set(env.cleaningActions.map(actionName)),
});

/** Media type of JSON received on a topic; stored with the message, because the topic decides how to parse it. */
export const onTopic = (topic: string): string => `application/json; topic=${topic}`;

function topicIn<T extends string>(mediaType: string, topics: readonly T[]): T {
  const topic = topics.find((name) => onTopic(name) === mediaType);
  if (!topic) throw new InvalidMessage('No known topic.');
  return topic;
}

const readers: Readonly<Record<Protocol, (raw: Raw, settings: Settings) => AdapterInput[]>> = {
  osmand: ({ mediaType, body }) => [{ message: readOsmAnd({ search: '', mediaType, body }).message, body }],
  own: ({ body }) =>
    itemsOf(Buffer.from(body)).map((item) => ({ message: ownMessage(item), body: Buffer.from(JSON.stringify(item)) })),
  owntracks: ({ body }) => {
    const message = readOwnTracks(body);
    return message ? [{ message, body }] : [];
  },
  thingsboard: ({ mediaType, body }) => readThingsBoard(body, topicIn(mediaType, thingsBoardTopics)),
  vda5050: ({ mediaType, body }, { cleaning }) => [
    { message: readVda5050(body, { topic: topicIn(mediaType, vda5050Topics), cleaning }), body },
  ],
  kept: () => [],
};

/**
 * Parses a raw message. Pure.
 * @throws InvalidMessage
 */
export const read = (protocol: Protocol, raw: Raw, settings: Settings): AdapterInput[] =>
  readers[protocol](raw, settings);

function ownMessage(item: unknown) {
  const report = readOwn(item);
  if ('message' in report) return report.message;
  throw new InvalidMessage('Fields that cannot be read.');
}

/** Adapters by protocol, for incoming messages and for replays. */
import type { Env } from '../../context/env';
import { createBuildCache } from '../../shared/createBuildCache';
import { InvalidMessage, type Protocol } from '../timeline/observation';
import { buildKeyMap, type MapKeys } from './buildKeyMap';
import { createActionMatcher } from './createActionMatcher';
import type { ParsedMessage } from './ParsedMessage';
import { readOsmAnd } from './readOsmAnd';
import { parseItems, readOwn, withoutRun } from './readOwn';
import { readOwnTracks } from './readOwnTracks';
import { readThingsBoard, thingsBoardTopics } from './readThingsBoard';
import { readVda5050, vda5050Topics } from './readVda5050';

/** A message as received. */
export interface RawMessage {
  mediaType: string;
  body: Uint8Array;
}

export interface AdapterSettings {
  /** Whether a VDA 5050 action type counts as cleaning. */
  isCleaning: (actionType: string) => boolean;
  /** Maps the keys of a device onto ours. */
  mapKeys: MapKeys;
}

/** Settings of machine type and tracker for reading messages. */
export interface SettingsSource {
  /** VDA 5050 action types that count as cleaning: the installation's if none are listed. */
  cleaningActions: readonly string[] | null;
  keyRules: readonly string[] | null;
}

/** Builds settings once per distinct source. */
export function createAdapterSettings({ env }: { env: Pick<Env, 'cleaningActions'> }): FindAdapterSettings {
  const cachedBuild = createBuildCache();
  return ({ cleaningActions, keyRules }) => {
    const types = cleaningActions?.length ? cleaningActions : env.cleaningActions;
    return cachedBuild(JSON.stringify([types, keyRules]), () => ({
      isCleaning: createActionMatcher(types),
      mapKeys: buildKeyMap(keyRules ?? []),
    }));
  };
}

export type FindAdapterSettings = (source: SettingsSource) => AdapterSettings;

/** Media type of JSON received on a topic; stored with the message, because the topic decides how to parse it. */
export const mediaTypeOf = (topic: string): string => `application/json; topic=${topic}`;

function requireTopic<T extends string>(mediaType: string, topics: readonly T[]): T {
  const topic = topics.find((name) => mediaTypeOf(name) === mediaType);
  if (!topic) throw new InvalidMessage('Unknown topic.');
  return topic;
}

const readers: Readonly<Record<Protocol, (message: RawMessage, settings: AdapterSettings) => ParsedMessage[]>> = {
  osmand: ({ mediaType, body }, { mapKeys }) => [
    { message: readOsmAnd({ search: '', mediaType, body }, mapKeys).message, body },
  ],
  own: ({ body }, { mapKeys }) =>
    parseItems(Buffer.from(body)).flatMap((item) => {
      const observation = withoutRun(item);
      if (observation === undefined) return [];
      return [{ message: readOwnMessage(observation, mapKeys), body: Buffer.from(JSON.stringify(item)) }];
    }),
  owntracks: ({ body }) => {
    const message = readOwnTracks(body);
    return message ? [{ message, body }] : [];
  },
  thingsboard: ({ mediaType, body }, { mapKeys }) =>
    readThingsBoard(body, requireTopic(mediaType, thingsBoardTopics), mapKeys),
  vda5050: ({ mediaType, body }, { isCleaning }) => [
    { message: readVda5050(body, { topic: requireTopic(mediaType, vda5050Topics), isCleaning }), body },
  ],
  // Observations of this protocol have no raw messages.
  kept: () => [],
};

/**
 * Parses a raw message. Pure.
 * @throws InvalidMessage
 */
export const readMessage = (protocol: Protocol, message: RawMessage, settings: AdapterSettings): ParsedMessage[] =>
  readers[protocol](message, settings);

function readOwnMessage(item: unknown, mapKeys: MapKeys) {
  const report = readOwn(item, mapKeys);
  if ('message' in report) return report.message;
  throw new InvalidMessage('Fields that cannot be read.');
}

/** What single entities add to the calls that every entity has, by name. */
import type { EntityServer } from './types';

export const entityServers: Readonly<Record<string, EntityServer | undefined>> = {};

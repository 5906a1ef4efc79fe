import type { ScopeKind } from '../../schema/shared/roles';
import type { Caller } from '../context/caller';

/** Whether the caller has links for the scope of at least one of their roles. */
export function isLinked({ scopes, links }: Caller): boolean {
  const ownClient = links.client === null ? 0 : 1;
  const siteCount = links.fleets.length + links.locations.length;
  const linkCounts: Record<ScopeKind, number> = {
    all: 1,
    country: links.countries.length,
    partner: ownClient + links.clients.length,
    client: ownClient,
    site: siteCount,
    machine: siteCount + links.machines.length,
  };
  return [...scopes].some((kind) => linkCounts[kind] > 0);
}

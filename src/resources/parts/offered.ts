/** What pickers offer of roles and countries: only what the reader could give. The server judges by itself (domain: nobody gives what they do not hold). */
import type { Entity } from '../../../schema/dsl/entity';
import { namedRoles, type ScopeKind, scopeKinds } from '../../../schema/roles';
import { currentUser } from '../../providers/auth';
import type { Filters } from '../../providers/filter';

/** The kinds of reach the reader has; `undefined` when a role that administrators added leaves it open. */
function ownKinds(): ScopeKind[] | undefined {
  const kinds = (currentUser()?.roles ?? []).map((held) => Object.values(namedRoles).find(({ name }) => name === held)?.scope);
  return kinds.some((kind) => kind === undefined) ? undefined : (kinds as ScopeKind[]);
}

/** Narrows the rows offered for a field; nothing for most. */
export function offered(entity: Entity, source: string): Filters {
  const kinds = ownKinds();
  if (!kinds || kinds.includes('all')) return {};
  const to = entity.fields[source]?.to;
  if (to === 'roles') return { scope: scopeKinds.slice(Math.min(...kinds.map((kind) => scopeKinds.indexOf(kind)))) };
  // A partner's reach is the clients themselves, wherever they are.
  const isBound = entity.name === 'users' || !kinds.includes('partner');
  if (to === 'countries' && kinds.includes('country') && isBound) return { id: (currentUser()?.countries ?? []).map(({ id }) => id) };
  return {};
}

/** Links of a user that only count in roles the reader cannot give: not asked for. */
export function notGiven(): string[] {
  const kinds = ownKinds();
  if (!kinds || kinds.includes('all') || kinds.includes('country')) return [];
  return kinds.includes('partner') ? ['country_ids'] : ['country_ids', 'client_ids'];
}

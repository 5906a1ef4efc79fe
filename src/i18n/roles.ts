/**
 * The six named roles in the reader's language. Their stored names are English and cannot be changed; further roles are
 * called as they were named.
 */

import type { EntityFile } from '../../locales/types';
import { roleNames } from '../../schema/dsl/entity';
import type { Language } from '../../schema/shared/languages';
import { namedRoles } from '../../schema/shared/roles';

const known = new Map<Language, EntityFile['roles']>();

/** Called with the texts of each language that has been loaded. */
export const rememberRoles = (language: Language, texts: EntityFile['roles']): void => void known.set(language, texts);

/** "Site Manager" in German is "Standortleiter"; a name of another role is given back as it is. */
export function roleName(name: string, language: Language): string {
  const role = roleNames.find((candidate) => namedRoles[candidate].name === name);
  return (role && known.get(language)?.[role]) || name;
}

/**
 * Names of the six named roles in the user's language. Their stored names are English and fixed. Other roles keep their
 * stored names.
 */

import type { EntityFile } from '../../locales/types';
import { roleNames } from '../../schema/dsl/entity';
import type { Language } from '../../schema/shared/languages';
import { namedRoles } from '../../schema/shared/roles';

const namesByLanguage = new Map<Language, EntityFile['roles']>();

/** Must be called with the texts of each language once it is loaded. */
export const rememberRoles = (language: Language, texts: EntityFile['roles']): void =>
  void namesByLanguage.set(language, texts);

/** "Standortleiter" for "Site Manager" in German; returns names of other roles unchanged. */
export function roleName(name: string, language: Language): string {
  const role = roleNames.find((candidate) => namedRoles[candidate].name === name);
  return (role && namesByLanguage.get(language)?.[role]) || name;
}

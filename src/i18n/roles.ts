/**
 * Names of the six named roles in the user's language. Their stored names are English and fixed; further roles keep
 * their names.
 */

import type { EntityFile } from '../../locales/types';
import { roleNames } from '../../schema/dsl/entity';
import type { Language } from '../../schema/shared/languages';
import { namedRoles } from '../../schema/shared/roles';

const namesByLanguage = new Map<Language, EntityFile['roles']>();

/** Must be called with the texts of each loaded language. */
export const rememberRoles = (language: Language, texts: EntityFile['roles']): void =>
  void namesByLanguage.set(language, texts);

/** "Site Manager" in German is "Standortleiter"; returns names of further roles unchanged. */
export function roleName(name: string, language: Language): string {
  const role = roleNames.find((candidate) => namedRoles[candidate].name === name);
  return (role && namesByLanguage.get(language)?.[role]) || name;
}

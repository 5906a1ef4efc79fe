/** Names of permissions in the user's language. Stored names are English until a user renames them. */

import type { EntityFile } from '../../locales/types';
import type { Language } from '../../schema/shared/languages';

type PermissionTexts = Pick<EntityFile, 'actions' | 'resources'>;
const textsByLanguage = new Map<Language, PermissionTexts>();

/** Must be called with the texts of each language once it is loaded. */
export const rememberPermissions = (language: Language, texts: PermissionTexts): void =>
  void textsByLanguage.set(language, texts);

/** "Maschinen: Auflisten" for the product's `machines.list`; returns renamed permissions unchanged. */
export function permissionName({ name, code_name }: { name: string; code_name: string }, language: Language): string {
  const [resource = '', action = ''] = code_name.split('.');
  const texts = textsByLanguage.get(language);
  const plural = (texts?.resources as Record<string, { plural: string }> | undefined)?.[resource]?.plural;
  const verb = (texts?.actions as Record<string, string> | undefined)?.[action];
  return plural && verb && name === defaultName(resource, action) ? `${plural}: ${verb}` : name;
}

/** The name that a new database contains. */
const defaultName = (resource: string, action: string) =>
  `${action.charAt(0).toUpperCase()}${action.slice(1)} ${resource}`.replaceAll('_', ' ');

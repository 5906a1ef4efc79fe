/** Permissions in the reader's language: their stored names are English until somebody calls them otherwise. */

import type { EntityFile } from '../../locales/types';
import type { Language } from '../../schema/shared/languages';

type PermissionTexts = Pick<EntityFile, 'actions' | 'resources'>;
const known = new Map<Language, PermissionTexts>();

/** Called with the texts of each language that has been loaded. */
export const rememberPermissions = (language: Language, texts: PermissionTexts): void =>
  void known.set(language, texts);

/** "Maschinen: Auflisten" for the product's `machines.list`; a name that people gave is given back as it is. */
export function permissionName({ name, code_name }: { name: string; code_name: string }, language: Language): string {
  const [resource = '', action = ''] = code_name.split('.');
  const texts = known.get(language);
  const plural = (texts?.resources as Record<string, { plural: string }> | undefined)?.[resource]?.plural;
  const verb = (texts?.actions as Record<string, string> | undefined)?.[action];
  return plural && verb && name === givenName(resource, action) ? `${plural}: ${verb}` : name;
}

/** As every database names them at first. */
const givenName = (resource: string, action: string) =>
  `${action.charAt(0).toUpperCase()}${action.slice(1)} ${resource}`.replaceAll('_', ' ');

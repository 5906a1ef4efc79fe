/**
 * The messages of one language for react-admin's translation: `ra.*`, the texts of the declarations (`resources.*`,
 * `validation.*`, ...) and the interface texts, one top-level group per area. The browser fetches the files of a
 * language when it is first shown.
 */
import type { TranslationMessages } from 'react-admin';
import type { EntityFile, EntityTexts, UiFile } from '../../locales/types';
import type { Language } from '../../schema/shared/languages';
import { loadReactAdmin } from './loadReactAdmin';
import { rememberPermissions } from './permissions';
import { rememberRoles } from './roles';

const entityTexts: Record<Language, () => Promise<EntityFile>> = {
  en: async () => (await import('../../locales/en/entities.json')).default,
  de: async () => (await import('../../locales/de/entities.json')).default,
  sv: async () => (await import('../../locales/sv/entities.json')).default,
  pl: async () => (await import('../../locales/pl/entities.json')).default,
  fr: async () => (await import('../../locales/fr/entities.json')).default,
  it: async () => (await import('../../locales/it/entities.json')).default,
};

const uiTexts: Record<Language, () => Promise<UiFile>> = {
  en: async () => (await import('../../locales/en/ui.json')).default,
  de: async () => (await import('../../locales/de/ui.json')).default,
  sv: async () => (await import('../../locales/sv/ui.json')).default,
  pl: async () => (await import('../../locales/pl/ui.json')).default,
  fr: async () => (await import('../../locales/fr/ui.json')).default,
  it: async () => (await import('../../locales/it/ui.json')).default,
};

/** Texts by key, nested at each dot. */
interface Phrases {
  [key: string]: string | Phrases;
}

export type Messages = TranslationMessages & UiFile & Omit<EntityFile, 'resources'> & Record<string, unknown>;

/** All texts of the interface in one language. Rejects if a file cannot be fetched. */
export async function loadMessages(language: Language): Promise<Messages> {
  const [ra, texts, ui] = await Promise.all([loadReactAdmin(language), entityTexts[language](), uiTexts[language]()]);
  rememberRoles(language, texts.roles);
  rememberPermissions(language, texts);
  return { ...ra, ...apiMessages(ui.errors), ...ui, ...texts, resources: resourcesOf(texts) };
}

// The API always answers these in English (contract, table of statuses). Using the sentences as keys translates them
// like any other message.
const apiMessages = ({ forbidden, not_found, server, session_ended, too_many }: UiFile['errors']) => ({
  'This action is unauthorized.': forbidden,
  'Not found.': not_found,
  'Server Error': server,
  'Unauthenticated.': session_ended,
  'Too Many Attempts.': too_many,
});

type AnyEntity = Omit<EntityTexts<'users'>, 'fields' | 'records' | 'choices' | 'help'> & {
  fields: Record<string, string>;
  records?: Record<string, Record<string, string>>;
  choices: Record<string, Record<string, string>>;
  help: Record<string, string>;
};

/**
 * Converts names to react-admin's format: `resources.machines.name` becomes "Machine |||| Machines". Adds the common
 * fields to those of each entity.
 */
function resourcesOf({ resources, common }: EntityFile): Phrases {
  const entities: Record<string, AnyEntity> = resources;
  return Object.fromEntries(
    Object.entries(entities).map(([entity, { name, plural, counted, fields, records = {}, ...more }]) => {
      const recordFields = Object.entries(records).flatMap(([field, labels]) =>
        Object.entries(labels).map(([property, label]) => [`${field}.${property}`, label]),
      );
      return [
        entity,
        {
          ...more,
          counted,
          plural,
          name: forms(name, plural, counted),
          fields: { ...common, ...fields, ...Object.fromEntries(recordFields) },
        },
      ];
    }),
  );
}

// Polish has three plural forms; the third one, after numbers such as 5, is `counted`.
function forms(name: string, plural: string, counted: string): string {
  const third = counted.split('||||')[2]?.replace('%{smart_count}', '').trim();
  return [name, plural, ...(third ? [third] : [])].join(' |||| ');
}

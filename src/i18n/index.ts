/**
 * The messages of one language as react-admin's translation reads them: `ra.*`, the declarations' texts (`resources.*`,
 * `validation.*`, ...) and the interface texts, one top-level group per area. Each language is a file of its own that
 * the browser fetches when it is shown.
 */
import type { TranslationMessages } from 'react-admin';
import type { Language } from '../../schema/shared/languages';
import { loadTexts } from '../../schema/texts/index';
import type { EntityTexts, Texts } from '../../schema/texts/types';
import { rememberPermissions } from './permissions';
import { rememberRoles } from './roles';
import type { UiTexts } from './types';

const reactAdmin: Record<Language, () => Promise<TranslationMessages>> = {
  en: async () => (await import('ra-language-english')).default,
  de: async () => (await import('./ra/de')).de,
  sv: async () => (await import('./ra/sv')).sv,
  pl: async () => (await import('./ra/pl')).pl,
  fr: async () => (await import('./ra/fr')).fr,
  it: async () => (await import('./ra/it')).it,
};

const interfaces: Record<Language, () => Promise<UiTexts>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  sv: async () => (await import('./sv')).sv,
  pl: async () => (await import('./pl')).pl,
  fr: async () => (await import('./fr')).fr,
  it: async () => (await import('./it')).it,
};

/** Texts by key, nested as deep as their keys have dots. */
interface Phrases {
  [key: string]: string | Phrases;
}

export type Messages = TranslationMessages &
  UiTexts &
  Pick<Texts, 'common' | 'validation' | 'roles' | 'actions' | 'units' | 'reasons' | 'reports'> &
  Record<string, unknown>;

/** Everything the interface says in one language. Rejects when a file cannot be fetched. */
export async function messagesOf(language: Language): Promise<Messages> {
  const [ra, texts, ui] = await Promise.all([reactAdmin[language](), loadTexts(language), interfaces[language]()]);
  const { common, validation, roles, actions, units, reasons, reports } = texts;
  rememberRoles(language, roles);
  rememberPermissions(language, texts);
  return {
    ...ra,
    ...answers(ui.errors),
    ...ui,
    common,
    validation,
    roles,
    actions,
    units,
    reasons,
    reports,
    resources: resourcesOf(texts),
  };
}

// The API says these in English whatever the reader's language (contract, table of statuses); as keys they are found
// wherever a message is translated.
const answers = ({ forbidden, not_found, server, session_ended, too_many }: UiTexts['errors']) => ({
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
 * `resources.machines.name` is "Machine |||| Machines", as react-admin wants it; the common fields are among the fields
 * of each entity.
 */
function resourcesOf({ resources, common }: Texts): Phrases {
  const known: Record<string, AnyEntity> = resources;
  return Object.fromEntries(
    Object.entries(known).map(([entity, { name, plural, counted, fields, records = {}, ...more }]) => {
      const inner = Object.entries(records).flatMap(([field, of]) =>
        Object.entries(of).map(([part, label]) => [`${field}.${part}`, label]),
      );
      return [
        entity,
        {
          ...more,
          counted,
          plural,
          name: forms(name, plural, counted),
          fields: { ...common, ...fields, ...Object.fromEntries(inner) },
        },
      ];
    }),
  );
}

// Polish counts in three forms; where a name is printed after a number, the third is the one of `counted`.
function forms(name: string, plural: string, counted: string): string {
  const third = counted.split('||||')[2]?.replace('%{smart_count}', '').trim();
  return [name, plural, ...(third ? [third] : [])].join(' |||| ');
}

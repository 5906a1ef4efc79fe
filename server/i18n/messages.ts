/** Server texts in the reader's language: API messages, field labels, problems. */
import Polyglot from 'node-polyglot';
import deApi from '../../locales/de/api.json';
import deEntities from '../../locales/de/entities.json';
import enApi from '../../locales/en/api.json';
import enEntities from '../../locales/en/entities.json';
import frApi from '../../locales/fr/api.json';
import frEntities from '../../locales/fr/entities.json';
import itApi from '../../locales/it/api.json';
import itEntities from '../../locales/it/entities.json';
import plApi from '../../locales/pl/api.json';
import plEntities from '../../locales/pl/entities.json';
import svApi from '../../locales/sv/api.json';
import svEntities from '../../locales/sv/entities.json';
import type { EntityTexts, Texts } from '../../locales/types';
import { type EntityName, entities } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import type { Language } from '../../schema/shared/languages';
import { firstRole } from '../../schema/shared/roles';
import type { FieldProblem, MessageRef } from '../context/errors';

/** Texts of all languages; the server keeps them all loaded. */
export const texts: Record<Language, Texts> = {
  en: { ...enEntities, ...enApi },
  de: { ...deEntities, ...deApi },
  sv: { ...svEntities, ...svApi },
  pl: { ...plEntities, ...plApi },
  fr: { ...frEntities, ...frApi },
  it: { ...itEntities, ...itApi },
};

type Section = 'api' | 'validation' | 'reasons' | 'service' | 'roles' | 'actions' | 'units' | 'common';
/** Path of a sentence: `api.stale`, `reasons.silent`. */
export type Sentence = { [S in Section]: `${S}.${Extract<keyof Texts[S], string>}` }[Section];
export type Values = Record<string, string | number>;

/** Formats a sentence with values; `smart_count` selects the plural form. */
export function formatMessage(language: Language, sentence: Sentence, values: Values = {}): string {
  const [section, key] = sentence.split('.') as [Section, string];
  return fillPhrase((texts[language][section] as Record<string, string>)[key] as string, values, language);
}

/** Formats the message of an `ApiError`. */
export const apiErrorText = (language: Language, reason: string | MessageRef): string =>
  typeof reason === 'string' ? reason : formatMessage(language, `api.${reason.text}`, reason.values);

/** Name of a role in a language; roles that an administrator added keep their stored name. */
export function roleNameOf(language: Language, name: string): string {
  const role = firstRole([name]);
  return role ? formatMessage(language, `roles.${role}`) : name;
}

/** Formats a problem of a field as one sentence. `field` may be a path such as `emails.0.email`. */
export function problemText(
  language: Language,
  { entity, field, problem }: { entity?: string | Entity; field: string; problem: FieldProblem },
): string {
  const { other, ...others } = problem.values ?? {};
  const values = {
    ...others,
    field: labelOf(language, entity, field),
    // The other field of a pair of which one is required, by its label.
    ...(other !== undefined && { other: labelOf(language, entity, String(other)) }),
  };
  return 'text' in problem
    ? formatMessage(language, `api.${problem.text}`, values)
    : formatMessage(language, `validation.${problem.key}`, values);
}

/**
 * Label of a field, also inside a list of records (`emails.0.email`) or behind a relation (`fleet.name`). Falls back to
 * the humanised name.
 */
export function labelOf(language: Language, entity: string | Entity | undefined, field: string): string {
  const resourceTexts = resource(language, entity);
  const [first = field, ...rest] = field.split('.').filter((part) => !/^\d+$/.test(part));
  const [inner] = rest;
  if (inner === undefined)
    return textOf(resourceTexts?.fields, first) ?? textOf<string>(texts[language].common, first) ?? humanizeName(first);
  const part = textOf(textOf(resourceTexts?.records, first), inner);
  if (part) return part;
  const { name, to } = relation(entity, first);
  return `${labelOf(language, entity, name)}: ${labelOf(language, to, rest.join('.'))}`;
}

/** Resolves a relation's name to its field (`fleet` to `fleet_id`) and its target. */
function relation(entity: string | Entity | undefined, relationName: string): { name: string; to: string | undefined } {
  const fields = (typeof entity === 'string' ? entities.find(({ name }) => name === entity) : entity)?.fields ?? {};
  const name = Object.hasOwn(fields, `${relationName}_id`)
    ? `${relationName}_id`
    : (Object.keys(fields).find((field) => fields[field]?.kind === 'refs' && fields[field]?.to === relationName) ??
      relationName);
  return { name, to: textOf(fields, name)?.to };
}

/** Label of a choice. */
export const choiceOf = (
  language: Language,
  entity: string | Entity | undefined,
  { field, value }: { field: string; value: string },
): string => textOf(textOf(resource(language, entity)?.choices, field), value) ?? humanizeName(value);

/** Name of an entity: "Machine" for a count of one, "Machines" otherwise. */
export function nameOf(language: Language, entity: string | Entity, count = 1): string {
  const resourceTexts = resource(language, entity);
  return (
    (count === 1 ? resourceTexts?.name : resourceTexts?.plural) ??
    humanizeName(typeof entity === 'string' ? entity : entity.name)
  );
}

/** Count with name: "12 machines". */
export function countText(language: Language, entity: string | Entity, count: number): string {
  const resourceTexts = resource(language, entity);
  return resourceTexts
    ? fillPhrase(resourceTexts.counted, { smart_count: count }, language)
    : `${count} ${nameOf(language, entity, count)}`;
}

/** Entity texts with arbitrary field names. */
interface Resource extends Pick<EntityTexts<EntityName>, 'name' | 'plural' | 'counted'> {
  fields: Record<string, string>;
  choices: Record<string, Record<string, string>>;
  records?: Record<string, Record<string, string>>;
}

function resource(language: Language, entity: string | Entity | undefined): Resource | undefined {
  const name = typeof entity === 'object' ? entity.name : entity;
  return name === undefined ? undefined : textOf<Resource>(texts[language].resources, name);
}

// Own keys only: names come from requests, so `constructor` must not be found.
const textOf = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

// `smart_count` stays a number, because it selects the plural form.
const fillPhrase = (phrase: string, { smart_count, ...values }: Values, language: Language) =>
  Polyglot.transformPhrase(
    phrase,
    {
      ...mapValues(values, (value) => (typeof value === 'number' ? value.toLocaleString(language) : value)),
      smart_count,
    },
    language,
  );

const mapValues = (values: Values, change: (value: string | number) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** `tracker_id` becomes "Tracker", `next_service_due` "Next service due". */
export function humanizeName(name: string): string {
  const words = name
    .replace(/_ids?$/, '')
    .replaceAll('_', ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

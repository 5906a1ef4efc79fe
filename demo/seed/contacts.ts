/** Contact persons of the demo's clients and sites. */
import { firstNames, lastNames } from './names';
import type { Random } from './random';
import type { SeedCountry } from './seedCountries';

/** Generates a contact of a country, with an e-mail address at `domain`. */
export function contactOf(
  random: Random,
  country: SeedCountry,
  domain: string,
): { contact_name: string; contact_email: string; contact_phone: string } {
  const first = random.pick(firstNames[country.language] ?? []);
  const last = random.pick(lastNames[country.language] ?? []);
  return {
    contact_name: `${first} ${last}`,
    contact_email: `${asciiSlug(`${first}.${last}`)}@${domain}`,
    contact_phone: phoneOf(random, country),
  };
}

export const phoneOf = (random: Random, { dial }: SeedCountry): string =>
  `${dial} ${random.between(20, 89)} ${random.between(1_000_000, 9_999_999)}`;

/**
 * Converts text to part of an e-mail address: lower case without accents, digits, dots, and hyphens for everything
 * else.
 */
export const asciiSlug = (words: string): string =>
  words
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]*\.[^a-z0-9]*(?=[a-z0-9])/g, '.')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

/**
 * In which language a request is answered: the user's (that of the page they read, where it names one by
 * `Page-Language`), else the first of `Accept-Language` that exists, else English.
 */
import type { FastifyRequest } from 'fastify';
import { isLanguage, type Language } from '../../schema/shared/languages';

export function languageOf(request: FastifyRequest): Language {
  return request.caller?.language ?? accepted(request.headers['accept-language'] ?? '') ?? 'en';
}

/** The best of an `Accept-Language` header (RFC 9110, section 12.5.4); regions are left aside. */
export function accepted(header: string): Language | undefined {
  return header
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().split(';');
      const quality = Number(
        /^q=(.*)$/.exec(
          parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q=')) ?? 'q=1',
        )?.[1],
      );
      return { code: range.trim().toLowerCase().split('-')[0], quality };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ code }) => code)
    .find(isLanguage);
}

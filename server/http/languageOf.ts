/**
 * Language of a response: the caller's, which is that of the page (`Page-Language`), else of the user; without a caller
 * the best supported one of `Accept-Language`, else English.
 */
import type { FastifyRequest } from 'fastify';
import { isLanguage, type Language } from '../../schema/shared/languages';

export function languageOf(request: FastifyRequest): Language {
  return request.caller?.language ?? acceptedLanguage(request.headers['accept-language'] ?? '') ?? 'en';
}

/** Best supported language of an `Accept-Language` header (RFC 9110, section 12.5.4). Ignores regions. */
export function acceptedLanguage(header: string): Language | undefined {
  return header
    .split(',')
    .map((entry) => {
      const [range = '', ...parameters] = entry.trim().split(';');
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

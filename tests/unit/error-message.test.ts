import { HttpError } from 'ra-core';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../server/context/errors';
import { errorMessage, unknownParameters, uploadErrorMessage } from '../../src/providers/errorMessage';
import { onRecovered, recordFailure, recordSuccess } from '../../src/providers/failures';

const translate = (key: string, { _, ...values }: Record<string, unknown> = {}) =>
  String(_ ?? [key, ...Object.values(values)].join(' '));

describe('error messages', () => {
  it.each(['filter', 'sort', 'parameter'])('mention an unknown %s without the list of allowed names', (kind) => {
    const error = ApiError.notAllowed(kind as 'filter', ['nonsense', 'more'], ['id', 'serial_number']);
    expect(errorMessage(error, translate)).toBe(`errors.unknown_${kind} nonsense, more`);
    expect(unknownParameters(error)).toEqual({ kind, names: 'nonsense, more' });
  });

  it('of any other kind are shown as sent', () => {
    const error = new Error('Requested by nobody.');
    expect(errorMessage(error, translate)).toBe('Requested by nobody.');
    expect(unknownParameters(error)).toBeUndefined();
  });
});

describe('the error of an upload', () => {
  it.each([
    ['is the message about the file', { errors: { file: ['Too large.'], page: ['Unknown.'] } }, 'Too large.'],
    ['is the general message if none is about the file', { errors: { page: ['Unknown.'] } }, 'Invalid data.'],
    ['is the message of the response if it has no body', undefined, 'Invalid data.'],
  ])('%s', (_, body, message) => {
    expect(uploadErrorMessage(new HttpError('Invalid data.', 422, body), translate)).toBe(message);
  });
});

describe('a recovered error', () => {
  it('is announced once the failed call succeeds, unless another call still fails with the same message', () => {
    const failures: string[] = [];
    const unsubscribe = onRecovered((message) => failures.push(message));
    recordFailure('PUT machines', 'Away');
    recordFailure('POST clients', 'Away');
    recordSuccess('GET machines');
    recordSuccess('PUT machines');
    expect(failures).toEqual([]);
    recordSuccess('POST clients');
    recordSuccess('POST clients');
    expect(failures).toEqual(['Away']);
    unsubscribe();
  });
});

/** Periods of a machine's pages, and files of documents. */
import { describe, expect, test } from 'vitest';
import { documentProblem } from '../../src/crud/shared/documentRules';
import { parsePeriod } from '../../src/resources/machines/usePeriod';

describe('period in a URL', () => {
  const periodOf = (search: string) => parsePeriod(new URLSearchParams(search), '2026-03-05', 30);

  test('defaults to the last 30 days by day', () => {
    expect(periodOf('')).toEqual({ group: 'day', days: 30, from: '2026-02-04', to: '2026-03-05' });
  });

  test('consists of two days and a grouping', () => {
    expect(periodOf('group=month&from=2025-01-01&to=2025-12-31')).toEqual({
      group: 'month',
      days: undefined,
      from: '2025-01-01',
      to: '2025-12-31',
    });
  });

  test.each([
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2026-03-01',
    'days=0',
    'days=-3',
    'days=2.5',
    'days=99999',
    'days=x',
    'group=year',
  ])('%s is invalid and falls back to the default', (search) => expect(periodOf(search)).toEqual(periodOf('')));

  test('of one day is today', () => expect(periodOf('days=1')).toMatchObject({ from: '2026-03-05', to: '2026-03-05' }));
});

describe('a document', () => {
  const megabyte = 1024 * 1024;
  test.each([
    ['Manual.pdf', 1, undefined],
    ['Manual.v2.DOCX', 15 * megabyte, undefined],
    ['letter.doc', 0, undefined],
    ['Manual.pdf', 15 * megabyte + 1, 'document_size'],
    ['Manual.exe', 1, 'document_type'],
    ['Manual.pdf.exe', 1, 'document_type'],
    ['Manual', 1, 'document_type'],
    ['pdf', 1, 'document_type'],
    ['.pdf', 1, 'file_name'],
    ['  .pdf', 1, 'file_name'],
  ])('%s of %i bytes: %s', (name, size, problem) => expect(documentProblem({ name, size })).toBe(problem));
});

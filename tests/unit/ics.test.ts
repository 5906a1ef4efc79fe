/** RFC 5545: calendar files that any program can read, whatever the names of machines and locations. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CalendarEvent, printIcs } from '../../server/features/service/printIcs';

const event: CalendarEvent = {
  uid: 'machine-7-service@example.com',
  stamp: new Date('2027-01-15T10:20:30.456Z'),
  day: '2027-02-28',
  summary: 'Service: S1-2601',
  description: 'about 28.02.2027: 312 of 500 h used, 6.1 h a day\nhttps://example.com/machines/7',
  location: 'Airport; Gate 4, Hall B\\C',
  url: 'https://example.com/machines/7',
};
const write = (events: readonly CalendarEvent[], name = 'Services due') => printIcs({ name, language: 'en', events });
const unfoldLines = (text: string) => text.replace(/\r\n[ \t]/g, '').split('\r\n');
const unescapeText = (text: string) => text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));

describe('a calendar', () => {
  test('has all-day events, each with id, timestamp and text', () => {
    const lines = unfoldLines(write([event]));
    expect(lines.slice(0, 5)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Sweepline//Service//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
    ]);
    expect(lines.slice(lines.indexOf('BEGIN:VEVENT'), -2)).toEqual([
      'BEGIN:VEVENT',
      'UID:machine-7-service@example.com',
      'DTSTAMP:20270115T102030Z',
      'DTSTART;VALUE=DATE:20270228',
      'DTEND;VALUE=DATE:20270301',
      'SUMMARY:Service: S1-2601',
      'DESCRIPTION:about 28.02.2027: 312 of 500 h used\\, 6.1 h a day\\nhttps://example.com/machines/7',
      'LOCATION:Airport\\; Gate 4\\, Hall B\\\\C',
      'URL:https://example.com/machines/7',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]);
  });

  test('folds lines at 75 octets, never inside a character, without loss', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 300 }),
        (location, summary) => {
          const text = write([{ ...event, location: `x${location}`, summary: `x${summary}` }]);
          expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
          for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
          const normalize = (text: string) => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
          const read = (name: string) =>
            unescapeText(
              unfoldLines(text)
                .find((line) => line.startsWith(`${name}:`))
                ?.slice(name.length + 1) ?? '',
            );
          expect([read('LOCATION'), read('SUMMARY')]).toEqual([normalize(`x${location}`), normalize(`x${summary}`)]);
        },
      ),
    );
  });
});

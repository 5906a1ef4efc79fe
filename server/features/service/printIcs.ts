/** Prints calendars as specified by RFC 5545. Pure functions. */

export interface CalendarEvent {
  /** Stable identifier of the event. */
  uid: string;
  /** Time of the last change. */
  stamp: Date;
  /** All-day event, `YYYY-MM-DD`. */
  day: string;
  summary: string;
  description: string;
  location: string;
  url: string;
}

/** Prints a calendar of all-day events. */
export function printIcs({
  name,
  language,
  events,
}: {
  name: string;
  language: string;
  events: readonly CalendarEvent[];
}): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Sweepline//Service//${language.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

const eventLines = ({ uid, stamp, day, summary, description, location, url }: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `DTSTAMP:${printInstant(stamp)}`,
  `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
  `DTEND;VALUE=DATE:${dayAfter(day).replaceAll('-', '')}`,
  `SUMMARY:${escapeText(summary)}`,
  `DESCRIPTION:${escapeText(description)}`,
  ...(location ? [`LOCATION:${escapeText(location)}`] : []),
  `URL:${url}`,
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
];

const printInstant = (moment: Date) =>
  moment
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:]/g, '');
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** Escapes a TEXT value (section 3.3.11). Removes control characters, which such values must not contain. */
const escapeText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Folds lines to 75 octets (section 3.1), without splitting characters. */
function foldLine(line: string): string {
  let length = 0;
  return [...line]
    .map((character) => {
      const octets = Buffer.byteLength(character);
      const fits = length + octets <= 75;
      length = fits ? length + octets : 1 + octets;
      return fits ? character : `\r\n ${character}`;
    })
    .join('');
}

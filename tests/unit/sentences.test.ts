import { describe, expect, test } from 'vitest';
import { entity } from '../../schema/dsl/entity';
import { choice, ref, text } from '../../schema/dsl/field';
import { problemsOf } from '../../schema/dsl/rules';
import { registry } from '../../schema/index';
import { type Language, languageCodes } from '../../schema/shared/languages';
import {
  apiErrorText,
  choiceOf,
  countText,
  formatMessage,
  labelOf,
  nameOf,
  problemText,
} from '../../server/i18n/messages';

/** An entity without texts. */
const brushes = entity('spare_brushes', {
  title: 'part_number',
  fields: {
    part_number: text({ required: true }),
    machine_id: ref('machines'),
    hardness: choice(['very_soft', 'hard']),
  },
  list: { columns: ['part_number'], sort: 'part_number', search: ['part_number'] },
  grants: {
    admin: 'all',
    country_manager: 'none',
    partner: 'none',
    customer_admin: 'none',
    site_manager: 'none',
    operator: 'none',
  },
  scope: 'global',
});

describe('labels', () => {
  test.each([
    ['machines', 'serial_number', 'Seriennummer'],
    ['machines', 'created_at', 'Erstellt'],
    ['users', 'emails.0.email', 'E-Mail'],
    ['machines', 'location.address', 'Standort: Adresse'],
    ['machines', 'fleet.client.name', 'Flotte: Kunde: Name'],
    ['users', 'fleets.name', 'Flotten: Name'],
  ])('%s.%s is %s in German', (name, field, label) => {
    expect(labelOf('de', name, field)).toBe(label);
  });

  test('an entity without texts is labelled with its own names', () => {
    expect(labelOf('de', brushes, 'part_number')).toBe('Part number');
    expect(labelOf('de', brushes, 'machine.serial_number')).toBe('Machine: Seriennummer');
    expect(labelOf('de', brushes, 'updated_at')).toBe('Geändert');
    expect(labelOf('de', 'imports', 'file')).toBe('Datei');
    expect(choiceOf('de', brushes, { field: 'hardness', value: 'very_soft' })).toBe('Very soft');
    expect(nameOf('de', brushes)).toBe('Spare brushes');
    expect(countText('de', brushes, 3)).toBe('3 Spare brushes');
  });

  test('names from outside never access properties of the texts', () => {
    expect(labelOf('en', 'constructor', '__proto__')).toBe(labelOf('en', undefined, '__proto__'));
    expect(labelOf('en', 'machines', 'constructor')).toBe('Constructor');
    expect(labelOf('en', 'machines', 'toString.valueOf')).toBe('ToString: ValueOf');
    expect(choiceOf('en', 'machines', { field: 'constructor', value: 'name' })).toBe('Name');
  });

  test('rows have labels and counted forms', () => {
    expect(nameOf('fr', 'machines', 2)).toBe('Machines');
    expect(countText('pl', registry.machines, 5)).toBe('5 maszyn');
    expect(choiceOf('it', 'machines', { field: 'status', value: 'Charging' })).toBe('In carica');
  });
});

describe('messages', () => {
  test('a violated rule of the specification has a message in the six languages', () => {
    const [requiredProblem] =
      problemsOf(registry.machines, { serial_number: '' }, { fields: ['serial_number'], side: 'server' }).get(
        'serial_number',
      ) ?? [];
    const sentences = languageCodes.map(
      (language) =>
        requiredProblem &&
        problemText(language, { entity: 'machines', field: 'serial_number', problem: requiredProblem }),
    );
    expect(sentences).toEqual([
      'Serial number is required.',
      'Seriennummer ist ein Pflichtfeld.',
      'Serienummer måste anges.',
      'Pole „Numer seryjny” jest wymagane.',
      'Le champ «\u00a0Numéro de série\u00a0» est obligatoire.',
      'Il campo «Numero di serie» è obbligatorio.',
    ]);
  });

  test('values and plural forms are filled in', () => {
    expect(formatMessage('pl', 'api.more_errors', { smart_count: 2 })).toBe('(i jeszcze 2 błędy)');
    expect(formatMessage('it', 'api.more_errors', { smart_count: 1 })).toBe('(e un altro errore)');
    expect(
      problemText('de', {
        entity: 'machines',
        field: 'custom_type',
        problem: { key: 'min_length', values: { min: 3 } },
      }),
    ).toBe('Eigener Typ braucht mindestens 3 Zeichen.');
    expect(
      problemText('de', { entity: 'machines', field: 'note', problem: { key: 'max_length', values: { max: 10_000 } } }),
    ).toBe('Notiz darf höchstens 10.000 Zeichen haben.');
    expect(countText('de', 'machines', 2)).toBe('2 Maschinen');
  });

  test('values are literal: variables and patterns in them are not expanded', () => {
    expect(formatMessage('en', 'validation.unknown', { field: "%{field} $& $' |||| x" })).toBe(
      "%{field} $& $' |||| x is not a known field.",
    );
  });

  test.each<[Language, string]>([
    ['en', 'Somebody changed this in the meantime.'],
    ['sv', 'Någon har ändrat detta under tiden.'],
  ])('an error in %s', (language, sentence) => {
    expect(apiErrorText(language, { text: 'stale' })).toBe(sentence);
    expect(apiErrorText(language, 'Unauthenticated.')).toBe('Unauthenticated.');
  });
});

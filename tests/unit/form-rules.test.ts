import { describe, expect, it } from 'vitest';
import { clients } from '../../schema/entities/clients';
import { machines } from '../../schema/entities/machines';
import { users } from '../../schema/entities/users';
import { listErrors } from '../../src/crud/record/ErrorSummary';
import { blankValues, formProblems, resolverOf, valuesOf } from '../../src/crud/record/rules';
import { bodyOf, changesOf } from '../../src/providers/bodyOf';

const names = Object.keys(clients.fields).filter((name) => clients.fields[name as 'name'].write !== false);
const hansa = {
  name: 'Hansa',
  building: '1',
  street: 'Kai',
  city: 'Hamburg',
  postal_code: '01067',
  country_id: 3,
  image: 'kept.png',
  sms_activation: false,
  tags: [],
};
const keysOf = (values: Record<string, unknown>, current?: Record<string, unknown>) =>
  Object.fromEntries(
    [...formProblems(clients, values, { names, current })].map(([path, [problem]]) => [path, problem?.key]),
  );

describe('form', () => {
  it('starts with defaults and empty lists only', () => {
    const blank = blankValues(clients, names);
    expect(blank.tags).toEqual([]);
    expect(blank.sms_activation).toBe(false);
    expect(blank.name).toBeNull();
  });
  it('requires the logo in the browser, although API clients may omit it', () =>
    expect(keysOf({ ...hansa, image: null })).toEqual({ image: 'required' }));
  it('accepts the stored picture unchanged', () => expect(keysOf(hansa, hansa)).toEqual({}));
  it('rejects a file that is neither PNG nor JPEG, or is too large, before it is sent', () => {
    expect(keysOf({ ...hansa, image: new File(['x'], 'a.gif', { type: 'image/gif' }) })).toEqual({
      image: 'image_type',
    });
    expect(
      keysOf({ ...hansa, image: new File([new Uint8Array(2 * 1024 * 1024)], 'a.png', { type: 'image/png' }) }),
    ).toEqual({ image: 'image_size' });
    expect(keysOf({ ...hansa, image: new File(['x'], 'a.png', { type: 'image/png' }) })).toEqual({});
  });
  it('rejects an invalid URL', () => expect(keysOf({ ...hansa, image: 'nowhere' })).toEqual({ image: 'url' }));
  it('shows problems as complete sentences at their field, including those of records', async () => {
    const translate = (key: string, values?: Record<string, unknown>) =>
      values?.field ? `${key}(${values.field})` : key;
    const resolver = resolverOf(users, { names: ['emails', 'first_name'], translate });
    const { errors } = await resolver(
      { first_name: '', emails: [{ email: 'nobody', primary: true, verified: true }] },
      undefined,
      {} as never,
    );
    expect(listErrors(errors)).toEqual([
      { path: 'first_name', message: 'validation.required(resources.users.fields.first_name)' },
      { path: 'emails.0.email', message: 'validation.email(resources.users.fields.emails.email)' },
    ]);
  });
  it('requires fields depending on other values', () => {
    const neededFields = ({ city }: Record<string, unknown>) => (city === 'Kiel' ? ['contact_name'] : []);
    const missingFields = (values: object) => [
      ...formProblems(clients, { ...hansa, ...values }, { names, current: hansa, requiredFields: neededFields }).keys(),
    ];
    expect([
      missingFields({}),
      missingFields({ city: 'Kiel' }),
      missingFields({ city: 'Kiel', contact_name: 'Jo' }),
    ]).toEqual([[], ['contact_name'], []]);
  });
  it('accepts a custom type instead of a machine type', () => {
    const fieldNames = ['type_id', 'custom_type'];
    const values = valuesOf(machines, fieldNames, { type_id: null, custom_type: 'Sweeper' });
    expect(formProblems(machines, values, { names: fieldNames }).size).toBe(0);
    expect([...formProblems(machines, { type_id: null, custom_type: null }, { names: fieldNames }).keys()]).toContain(
      'type_id',
    );
  });
});

describe('request body', () => {
  it('contains only changed fields', () =>
    expect(changesOf({ ...hansa, city: 'Kiel', contact_name: '' }, { ...hansa, contact_name: null })).toEqual({
      city: 'Kiel',
    }));
  it('contains everything for a new row', () => expect(changesOf(hansa, undefined)).toEqual(hansa));
  it('omits read-only fields and relations', () =>
    expect(bodyOf(machines, { serial_number: 'A', status: 'Online', fleet: { id: 1 }, id: 4, version: 2 })).toEqual({
      serial_number: 'A',
    }));
  it('sends empty text as null', () =>
    expect(bodyOf(machines, { reference_number: '' })).toEqual({ reference_number: null }));
  it('omits values of a record that only the server sets', () =>
    expect(bodyOf(users, { emails: [{ email: 'a@b.cd', verified: true, primary: true }] })).toEqual({
      emails: [{ email: 'a@b.cd', primary: true }],
    }));
  it('is a multipart form if it contains a picture', () => {
    const form = bodyOf(clients, {
      name: 'Hansa',
      tags: ['a', 'b'],
      country_id: 3,
      contact_email: null,
      image: new File(['x'], 'logo.png', { type: 'image/png' }),
    });
    expect(form).toBeInstanceOf(FormData);
    const entries = [...(form as FormData).entries()].map(([name, value]) => [
      name,
      value instanceof File ? value.name : value,
    ]);
    expect(entries).toEqual([
      ['name', 'Hansa'],
      ['tags[0]', 'a'],
      ['tags[1]', 'b'],
      ['country_id', '3'],
      ['contact_email', ''],
      ['image', 'logo.png'],
    ]);
  });
});

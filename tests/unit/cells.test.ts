import { describe, expect, it } from 'vitest';
import { alertRules } from '../../schema/entities/alert_rules';
import { machines } from '../../schema/entities/machines';
import { users } from '../../schema/entities/users';
import { editableCells } from '../../src/crud/list/editableCells';
import { session } from '../../src/providers/session';

const signInWith = (...permissions: string[]) =>
  session.set({ t: 't', ut: `x.${btoa(JSON.stringify({ id: 1, roles: ['Admin'], permissions }))}.x` });

describe('cells editable in place', () => {
  it('do not exist for read-only users', () => {
    signInWith('machines.list', 'machines.show');
    expect([...editableCells(machines)]).toEqual([]);
  });
  it('are those that the user may write', () => {
    signInWith('machines.list', 'machines.note');
    expect([...editableCells(machines)]).toEqual(['note']);
    signInWith('machines.list', 'machines.edit');
    expect(editableCells(machines)).not.toContain('price');
    expect(editableCells(machines)).not.toContain('status');
    expect(editableCells(machines)).toContain('location_id');
  });
  it('exclude fields too large for a cell', () => {
    signInWith('users.edit', 'alert_rules.edit');
    expect(editableCells(users)).toContain('first_name');
    for (const name of ['image', 'emails', 'password']) expect(editableCells(users)).not.toContain(name);
    expect(editableCells(alertRules)).toContain('name');
    expect(editableCells(alertRules)).not.toContain('threshold');
  });
});

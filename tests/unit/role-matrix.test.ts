/** The matrix of permissions on the page of a role. */
import { describe, expect, test } from 'vitest';
import { actions } from '../../schema/dsl/entity';
import { codesOf, entities } from '../../schema/index';
import { matrixColumns, matrixRows } from '../../src/resources/roles/matrix';

describe('permission matrix', () => {
  const permissions = entities.flatMap(codesOf).map((code_name, id) => ({ id, name: code_name, code_name }));
  const rows = matrixRows([...permissions].reverse());

  test('has a row per resource in the order of `entities` and every permission exactly once', () => {
    expect(rows.map(({ name }) => name)).toEqual(entities.map(({ name }) => name));
    const ids = rows.flatMap(({ actions: commonActions, special }) =>
      [...commonActions.values(), ...special].map(({ id }) => id),
    );
    expect(ids.sort((a, b) => a - b)).toEqual(permissions.map(({ id }) => id));
  });

  test('has the seven actions as columns, and other permissions beside them', () => {
    expect(matrixColumns(rows)).toEqual(actions);
    expect(
      rows
        .find(({ name }) => name === 'machines')
        ?.special.map(({ code_name }) => code_name)
        .sort(),
    ).toEqual(['machines.finance', 'machines.note', 'machines.report']);
  });

  test('appends unknown resources', () => {
    const otherPermission = { id: 9001, name: 'Ring bells', code_name: 'bells.ring' };
    expect(matrixRows([otherPermission, ...permissions]).at(-1)).toEqual({
      name: 'bells',
      actions: new Map(),
      special: [otherPermission],
    });
  });
});

/** Cells that can be edited in place: those of fields that the user may change in the form. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Kind } from '../../../schema/dsl/field';
import { ungrantableFields } from '../fields/pickerOptions';
import { writableOf } from '../shared/entities';

/** Kinds whose input needs more room than a cell, or a second value. */
const excludedKinds: readonly Kind[] = ['image', 'password', 'records', 'many', 'hours', 'json'];

/** Fields that forms edit together with others, or that cannot be changed once set. */
const excludedFields: Readonly<Record<string, readonly string[]>> = {
  alert_rules: ['metric', 'state', 'threshold', 'error_code', 'hold_time'],
  roles: ['permission_ids'],
  service_entries: ['machine_id'],
  service_plans: ['machine_id', 'type_id'],
};

export function editableCells(entity: Entity): ReadonlySet<string> {
  const excluded = [...(excludedFields[entity.name] ?? []), ...(entity.name === 'users' ? ungrantableFields() : [])];
  return new Set(
    writableOf(entity, 'edit').filter(
      (name) => !excludedKinds.includes(entity.fields[name]?.kind ?? 'many') && !excluded.includes(name),
    ),
  );
}

/** What a drawn value is given. */
import type { RaRecord } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import type { Language } from '../../../schema/texts/types';

export interface Shown<K extends Kind = Kind> {
  entity: Entity;
  /** The field's name. */
  source: string;
  field: Field<K>;
  record: Partial<RaRecord>;
  /** Never null, undefined or an empty text. */
  value: unknown;
  /** In a cell the unit stands in the column head, and long values are cut. */
  cell: boolean;
  language: Language;
}

/** Props of renderers. */
import type { RaRecord } from 'ra-core';
import type { ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import type { Language } from '../../../schema/shared/languages';

export interface Shown<K extends Kind = Kind> {
  entity: Entity;
  /** The field's name. */
  source: string;
  field: Field<K>;
  record: Partial<RaRecord>;
  /** Never null, undefined or an empty text. */
  value: unknown;
  /** In a cell: the column head has the unit, long values are truncated. */
  cell: boolean;
  language: Language;
}

type Drawing = (shown: Shown) => ReactNode;
/** `null`: no substitute value. */
type EmptyDrawing = (shown: Pick<Shown, 'record' | 'language'>) => ReactNode | null;
const own = new Map<string, Readonly<Record<string, Drawing>>>();

/** Registers renderers for single fields of an entity, in lists and on pages, in place of the kind's. */
export const drawAs = (entity: string, fields: Readonly<Record<string, Drawing>>): void => void own.set(entity, fields);
const emptyOwn = new Map<string, Readonly<Record<string, EmptyDrawing>>>();

/** Registers renderers for empty fields of an entity: the value that applies instead. */
export const drawEmptyAs = (entity: string, fields: Readonly<Record<string, EmptyDrawing>>): void =>
  void emptyOwn.set(entity, fields);
export const emptyDrawing = (entity: string, field: string): EmptyDrawing | undefined => emptyOwn.get(entity)?.[field];

export const ownDrawing = (entity: string, field: string): Drawing | undefined => own.get(entity)?.[field];

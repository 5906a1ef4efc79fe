/** Props of renderers, and the renderers of single fields. */
import type { RaRecord } from 'ra-core';
import type { ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import type { Language } from '../../../schema/shared/languages';

export interface DisplayProps<K extends Kind = Kind> {
  entity: Entity;
  /** Name of the field. */
  source: string;
  field: Field<K>;
  record: Partial<RaRecord>;
  /** Never null, undefined or an empty text. */
  value: unknown;
  /** Whether it is a table cell: the column head shows the unit, and long values are truncated. */
  cell: boolean;
  language: Language;
}

type Renderer = (props: DisplayProps) => ReactNode;
/** Renders the value that applies while the field is empty; returns `null` if there is none. */
type EmptyRenderer = (props: Pick<DisplayProps, 'record' | 'language'>) => ReactNode | null;
const renderersOf = new Map<string, Readonly<Record<string, Renderer>>>();

/** Registers renderers for single fields of an entity, in lists and on pages. They replace those of the kind. */
export const registerRenderers = (entity: string, fields: Readonly<Record<string, Renderer>>): void =>
  void renderersOf.set(entity, fields);
const emptyRenderersOf = new Map<string, Readonly<Record<string, EmptyRenderer>>>();

/** Registers renderers for empty fields of an entity. They show the value that applies instead. */
export const registerEmptyRenderers = (entity: string, fields: Readonly<Record<string, EmptyRenderer>>): void =>
  void emptyRenderersOf.set(entity, fields);
export const findEmptyRenderer = (entity: string, field: string): EmptyRenderer | undefined =>
  emptyRenderersOf.get(entity)?.[field];

export const findRenderer = (entity: string, field: string): Renderer | undefined => renderersOf.get(entity)?.[field];

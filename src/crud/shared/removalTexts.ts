/** Words and icons for soft delete: users are blocked, everything else is deleted. */
import type { RaRecord } from 'ra-core';
import { isBuiltIn } from '../../../schema';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';

export interface RemovalTexts {
  icon: 'trash' | 'block';
  label: string;
  title: string;
  text: string;
  /** Toast afterwards; default: the entity's own toast. */
  toast?: string;
  many: { label: string; title: string; text: string; button: string; toast: string };
  /** Texts of the list of soft-deleted rows and of restoring them. */
  bin: { label: string; restore: string; restored: string; manyRestored: string; empty: string; emptyText: string };
}

const deleting: RemovalTexts = {
  icon: 'trash',
  label: 'record.delete',
  title: 'dialogs.delete_title',
  text: 'dialogs.delete_text',
  many: {
    label: 'bulk.delete',
    title: 'bulk.delete_title',
    text: 'bulk.delete_text',
    button: 'bulk.delete_button',
    toast: 'toasts.bulk_deleted',
  },
  bin: {
    label: 'list.trash',
    restore: 'record.restore',
    restored: 'toasts.restored',
    manyRestored: 'bin.bulk_restored',
    empty: 'bin.empty',
    emptyText: 'bin.empty_text',
  },
};

const blocking: RemovalTexts = {
  icon: 'block',
  label: 'block.label',
  title: 'block.title',
  text: 'block.text',
  toast: 'block.done',
  many: {
    label: 'block.label',
    title: 'blocking.bulk_title',
    text: 'blocking.bulk_text',
    button: 'blocking.bulk_button',
    toast: 'blocking.bulk_done',
  },
  bin: {
    label: 'blocking.bin',
    restore: 'blocking.unblock',
    restored: 'blocking.unblocked',
    manyRestored: 'blocking.bulk_unblocked',
    empty: 'blocking.none',
    emptyText: 'blocking.none_text',
  },
};

export const removalTextsOf = ({ name }: Entity): RemovalTexts => (name === 'users' ? blocking : deleting);

/** Whether the user may delete this row. Built-in rows cannot be deleted; the server has the same rule. */
export const isDeletable = (entity: Entity, row: RaRecord): boolean =>
  can(entity.name, 'delete') && !isBuiltIn(entity, row);

/** Files whose rows were taken in. */
import type { Texts } from '../types';

export const imports: Pick<Texts['resources'], 'imports'> = {
  imports: {
    name: 'Import',
    plural: 'Imports',
    counted: '%{smart_count} import |||| %{smart_count} imports',
    add: 'Import file',
    edit: 'Edit import',
    added: 'Import added',
    changed: 'Import changed',
    deleted: 'Import deleted',
    empty: 'Files that you have imported appear here.',
    fields: {
      file_name: 'File',
      resource: 'List',
      user_id: 'Imported by',
      state: 'State',
      mode: 'What is done',
      row_count: 'Rows',
      create_count: 'Added',
      update_count: 'Changed',
      unchanged_count: 'Unchanged',
      error_count: 'Wrong',
      progress: 'Progress',
      finished_at: 'Finished',
    },
    choices: {
      state: {
        waiting: 'Waiting',
        checking: 'Being checked',
        checked: 'Checked',
        committing: 'Being written',
        done: 'Done',
        undoing: 'Being taken back',
        undone: 'Taken back',
        failed: 'Failed',
        cancelled: 'Cancelled',
      },
      mode: { upsert: 'Add and change', create: 'Only add', update: 'Only change' },
    },
    help: {},
    groups: { main: 'Import' },
  },
};

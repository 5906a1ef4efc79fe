/** What happened to rows: their history, the bin, changes by several people at once. */
export const history = {
  title: 'History',
  empty: 'No changes have been noted so far.',
  more: 'Show more',
  restore: 'Restore',
  restore_title: 'Bring back the earlier value of “%{field}”?',
  restore_text: 'It takes the place of the present value, as if you had typed it.',
  restore_button: 'Restore value',
  restored: 'Earlier value restored',
  hidden: 'Fields that you may not see were changed.',
  as: '%{name} as %{as}',
  by_token: '%{name} by the token “%{token}”',
  server: 'Sweepline',
  nothing: 'empty',
  open: 'Open',
  before: 'Before',
  after: 'After',
};

export const bin = {
  remove: 'Remove for good',
  remove_title: 'Remove “%{name}” for good?',
  remove_text: 'It cannot be restored afterwards. The history keeps what it held.',
  removed: '%{name} removed for good',
  restore: 'Restore',
  bulk_remove_title: 'Remove %{counted} for good?',
  bulk_remove_button: 'Remove %{counted}',
  bulk_removed: '%{counted} removed for good',
  bulk_restored: '%{counted} restored',
  empty: 'The bin is empty',
  empty_text: 'What is deleted is kept here and can be restored.',
  leave: 'Back to the list',
};

export const merge = {
  changed_now: 'Changed just now',
  changed_by: '%{name} changed this in the meantime. What you typed is kept.',
  changed_somebody: 'This was changed in the meantime. What you typed is kept.',
  compare: 'Compare',
  title: 'Somebody changed this in the meantime',
  text: 'Choose for each field which version holds. Nothing that you typed is lost.',
  before: 'Before',
  mine: 'Yours',
  theirs: 'Theirs',
  save: 'Save this version',
  go_on: 'Keep editing',
  both: 'Both agree.',
};

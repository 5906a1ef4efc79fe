/** The pages of reports. */
export const reporting = {
  title: 'Reports',
  month: 'Month',
  until: 'Due until',
  detail: 'Lines per',
  view: 'View',
  print: 'Print',
  excel: 'Excel',
  send: 'Send regularly',
  scheduled: 'Scheduled',
  error: 'The report could not be loaded',
  empty: 'Nothing to report',
  empty_text: 'Choose another period, or another client, fleet or location.',
  cut: 'Only the first %{shown} of %{all} lines are shown. The Excel file holds all of them.',
  kept: '%{done} of %{planned}',
  days_left: 'in %{smart_count} day |||| in %{smart_count} days',
  days_over: '%{smart_count} day over |||| %{smart_count} days over',
};

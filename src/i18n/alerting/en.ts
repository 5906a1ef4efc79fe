/**
 * Alerts and the rules that find them. The sentences of `when` hold the inputs of the rule's form in place of their
 * values.
 */
export const alerting = {
  alerting: {
    title: 'Alerts',
    open_count: '%{smart_count} open alert |||| %{smart_count} open alerts',
    none_open: 'No open alerts',
    acknowledge: 'Acknowledge',
    close: 'Close alert',
    comment: 'Comment',
    send: 'Add comment',
    notes: 'What happened',
    found: 'The rule found it',
    ended: 'It ended by itself',
    preview: 'In the last 30 days',
    fired:
      'This rule would have fired %{smart_count} time on %{machines}. |||| This rule would have fired %{smart_count} times on %{machines}.',
    never: 'This rule would never have fired.',
    incomplete: 'Complete the condition to see how often the rule would have fired.',
    more: 'The latest %{count} are listed.',
    still: 'still lasting',
    any_code: 'any',
    new_key: 'New webhook key',
    key_confirm: 'The key before this one no longer holds: the receiver must know the new one.',
    key_title: 'The new key',
    key_text: 'Copy it now, it is shown only this once. With it the receiver checks the signature of each message.',
    metric: {
      offline: 'is offline',
      state: 'is in the state',
      battery: 'has a battery below',
      left_site: 'has left its site',
      cleaned_less: 'was cleaned on less than',
      service_due: 'is due within',
      error: 'reports the error',
    },
    when: {
      offline: 'When a machine %{metric} for more than %{hold} minutes',
      state: 'When a machine %{metric} %{state} for more than %{hold} minutes',
      battery: 'When a machine %{metric} %{threshold} % for more than %{hold} minutes',
      left_site: 'When a machine %{metric} for more than %{hold} minutes',
      cleaned_less: 'When a site %{metric} %{threshold} % of its planned area',
      service_due: 'When the service of a machine %{metric} %{threshold} days',
      error: 'When a machine %{metric} %{code}',
    },
    report: {
      open: 'Report a problem',
      what: 'What is wrong?',
      text: 'Describe it in a sentence',
      out: 'The machine cannot be used',
      send: 'Send report',
      sending: 'Sending …',
      sent: 'The problem is reported. Those responsible are being told.',
      recent: 'Problems that were solved',
    },
    done: {
      reported: '%{name} reported a problem',
      acknowledged: '%{name} acknowledged it',
      closed: '%{name} closed it',
      comment: '%{name} wrote',
    },
  },
};

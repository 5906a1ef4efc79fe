import type { MailTexts } from './types';

export const en: MailTexts = {
  greeting: 'Hello %{name},',
  footer: 'This message was sent by Sweepline.',
  reset: {
    subject: 'Your new password for Sweepline',
    text: 'Somebody asked for a new password for your account. Open this link to choose one:',
    button: 'Choose a new password',
    code: 'Or enter this code on the page “Create new password”:',
    after:
      'The link is valid for %{minutes} minutes, the code for %{code_minutes} minutes; both work once. If it ' +
      'was not you, ignore this message.',
  },
  invitation: {
    subject: 'You are invited to Sweepline',
    text: '%{inviter} invites you to Sweepline as %{role}. Open this link to set your name and your password:',
    button: 'Accept the invitation',
    after: 'The invitation is valid until %{date} and works once.',
  },
  alert_fired: {
    subject: 'Alert: %{summary}',
    text: 'The rule “%{rule}” has found: %{summary}, since %{time}.',
    button: 'Open the alert',
    after: 'Acknowledge the alert there so that others know you are on it.',
  },
  alert_reminder: {
    subject: 'Reminder: %{summary}',
    text: 'Nobody has acknowledged this alert of the rule “%{rule}” yet: %{summary}, since %{time}.',
    button: 'Open the alert',
    after: 'Acknowledge the alert there and the reminders stop.',
  },
  alert_closed: {
    subject: 'Over: %{summary}',
    text: 'This alert of the rule “%{rule}” is closed: %{summary}, since %{time}.',
    button: 'Open the alert',
    after: 'There you see what happened and what was written about it.',
  },
  problem_reported: {
    subject: '%{summary}',
    text: '%{reporter} writes about %{summary} (%{time}): “%{report}”',
    button: 'Open alert',
    after: 'Acknowledge the alert there so that others know that you are on it.',
  },
  report: {
    subject: '%{report}: %{place}, %{period}',
    text:
      'Here is the report “%{report}” for %{place}, %{period}. All lines are in the attached Excel file; ' +
      'these are its totals:',
    button: 'Open report',
    after:
      'You get this report because somebody at Sweepline has it sent to you regularly. If you do not want it ' +
      'any more, tell them.',
  },
  password_changed: {
    subject: 'Your password was changed',
    text:
      'The password of your account was changed and every other session has ended. If it was not you, ask ' +
      'for a new password and tell your administrator.',
  },
  second_factor_on: {
    subject: 'Two-factor login is on',
    text:
      'Logging in to your account now takes a code of your authenticator app, too (two-factor login). If it ' +
      'was not you, tell your administrator.',
  },
  second_factor_off: {
    subject: 'Two-factor login is off',
    text:
      'Logging in to your account no longer takes a code (two-factor login). If it was not you, change your ' +
      'password and tell your administrator.',
  },
  verify_email: {
    subject: 'Verify your e-mail address',
    text: 'This address was added to your account. Open this link to confirm that it is yours:',
    button: 'Verify the address',
    after: 'The link is valid for %{hours} hours and works once. If you have no account here, ignore this message.',
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    text:
      'Another e-mail address is now the primary one of your account; messages go there. If it was not you, ' +
      'tell your administrator.',
  },
};

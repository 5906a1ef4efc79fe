import type { MailTexts } from './types';

export const fr: MailTexts = {
  greeting: 'Bonjour %{name},',
  footer: 'Ce message a été envoyé par Sweepline.',
  reset: {
    subject: 'Votre nouveau mot de passe Sweepline',
    text: 'Un nouveau mot de passe a été demandé pour votre compte. Ouvrez ce lien pour en choisir un :',
    button: 'Choisir un nouveau mot de passe',
    code: 'Ou saisissez ce code sur la page « Créer un nouveau mot de passe » :',
    after:
      'Le lien est valable %{minutes} minutes, le code %{code_minutes} minutes ; chacun ne sert qu’une fois. Si ' +
      'cette demande ne vient pas de vous, ignorez ce message.',
  },
  invitation: {
    subject: 'Invitation à rejoindre Sweepline',
    text:
      '%{inviter} vous invite à rejoindre Sweepline en tant que %{role}. Ouvrez ce lien pour indiquer votre ' +
      'nom et votre mot de passe :',
    button: 'Accepter l’invitation',
    after: 'L’invitation est valable jusqu’au %{date} et ne sert qu’une fois.',
  },
  alert_fired: {
    subject: 'Alerte : %{summary}',
    text: 'La règle « %{rule} » a constaté : %{summary}, depuis le %{time}.',
    button: 'Ouvrir l’alerte',
    after: 'Confirmez-y l’alerte pour que les autres sachent que vous vous en occupez.',
  },
  alert_reminder: {
    subject: 'Rappel : %{summary}',
    text: 'Personne n’a encore confirmé cette alerte de la règle « %{rule} » : %{summary}, depuis le %{time}.',
    button: 'Ouvrir l’alerte',
    after: 'Confirmez-y l’alerte et les rappels cesseront.',
  },
  alert_closed: {
    subject: 'Terminé : %{summary}',
    text: 'Cette alerte de la règle « %{rule} » est close : %{summary}, depuis le %{time}.',
    button: 'Ouvrir l’alerte',
    after: 'Vous y verrez ce qui s’est passé et ce qui a été écrit à ce sujet.',
  },
  problem_reported: {
    subject: '%{summary}',
    text: '%{reporter} écrit au sujet de %{summary} (le %{time}) : « %{report} »',
    button: 'Ouvrir l’alerte',
    after: 'Confirmez-y l’alerte pour que les autres sachent que vous vous en occupez.',
  },
  report: {
    subject: '%{report} : %{place}, %{period}',
    text:
      'Voici le rapport « %{report} » pour %{place}, %{period}. Toutes les lignes se trouvent dans le ' +
      'fichier Excel joint ; en voici les totaux :',
    button: 'Ouvrir le rapport',
    after:
      'Vous recevez ce rapport parce que quelqu’un chez Sweepline vous l’envoie régulièrement. Si vous n’en ' +
      'voulez plus, dites-le-lui.',
  },
  password_changed: {
    subject: 'Votre mot de passe a été modifié',
    text:
      'Le mot de passe de votre compte a été modifié et toutes les autres sessions ont pris fin. Si ce ' +
      'changement ne vient pas de vous, demandez un nouveau mot de passe et prévenez votre administrateur.',
  },
  second_factor_on: {
    subject: 'La connexion à deux facteurs est activée',
    text:
      'La connexion à votre compte demande désormais aussi un code de votre application d’authentification ' +
      '(connexion à deux facteurs). Si ce n’était pas vous, prévenez votre administrateur.',
  },
  second_factor_off: {
    subject: 'La connexion à deux facteurs est désactivée',
    text:
      'La connexion à votre compte ne demande plus de code (connexion à deux facteurs). Si ce n’était pas ' +
      'vous, changez votre mot de passe et prévenez votre administrateur.',
  },
  verify_email: {
    subject: 'Confirmez votre adresse e-mail',
    text: 'Cette adresse a été ajoutée à votre compte. Ouvrez ce lien pour confirmer qu’elle est à vous :',
    button: 'Confirmer l’adresse',
    after:
      'Le lien est valable %{hours} heures et ne fonctionne qu’une fois. Si vous n’avez pas de compte ici, ' +
      'ignorez ce message.',
  },
  email_changed: {
    subject: 'Votre adresse e-mail a été changée',
    text:
      'Une autre adresse e-mail est désormais l’adresse principale de votre compte ; les messages y sont ' +
      'envoyés. Si ce n’était pas vous, prévenez votre administrateur.',
  },
};

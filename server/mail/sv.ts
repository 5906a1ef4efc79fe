import type { MailTexts } from './types';

export const sv: MailTexts = {
  greeting: 'Hej %{name},',
  footer: 'Det här meddelandet skickades av Sweepline.',
  reset: {
    subject: 'Ditt nya lösenord för Sweepline',
    text: 'Någon har begärt ett nytt lösenord för ditt konto. Öppna länken för att välja ett:',
    button: 'Välj ett nytt lösenord',
    code: 'Eller skriv in den här koden på sidan ”Skapa nytt lösenord”:',
    after:
      'Länken gäller i %{minutes} minuter, koden i %{code_minutes} minuter, båda bara en gång. Om det inte var ' +
      'du kan du bortse från meddelandet.',
  },
  invitation: {
    subject: 'Du är inbjuden till Sweepline',
    text: '%{inviter} bjuder in dig till Sweepline som %{role}. Öppna länken för att ange namn och lösenord:',
    button: 'Acceptera inbjudan',
    after: 'Inbjudan gäller till %{date} och bara en gång.',
  },
  alert_fired: {
    subject: 'Larm: %{summary}',
    text: 'Regeln ”%{rule}” har hittat: %{summary}, sedan %{time}.',
    button: 'Öppna larmet',
    after: 'Bekräfta larmet där så att andra vet att du tar hand om det.',
  },
  alert_reminder: {
    subject: 'Påminnelse: %{summary}',
    text: 'Ingen har ännu bekräftat detta larm från regeln ”%{rule}”: %{summary}, sedan %{time}.',
    button: 'Öppna larmet',
    after: 'Bekräfta larmet där så upphör påminnelserna.',
  },
  alert_closed: {
    subject: 'Över: %{summary}',
    text: 'Detta larm från regeln ”%{rule}” är stängt: %{summary}, sedan %{time}.',
    button: 'Öppna larmet',
    after: 'Där ser du vad som hände och vad som skrevs om det.',
  },
  problem_reported: {
    subject: '%{summary}',
    text: '%{reporter} skriver om %{summary} (%{time}): ”%{report}”',
    button: 'Öppna larmet',
    after: 'Bekräfta larmet där så att andra vet att du tar hand om det.',
  },
  report: {
    subject: '%{report}: %{place}, %{period}',
    text:
      'Här är rapporten ”%{report}” för %{place}, %{period}. Alla rader finns i den bifogade Excelfilen; ' +
      'det här är summorna:',
    button: 'Öppna rapporten',
    after:
      'Du får rapporten eftersom någon på Sweepline låter skicka den till dig regelbundet. Säg till om du inte ' +
      'vill ha den längre.',
  },
  password_changed: {
    subject: 'Ditt lösenord har ändrats',
    text:
      'Lösenordet för ditt konto har ändrats och alla andra sessioner har avslutats. Om det inte var du, ' +
      'begär ett nytt lösenord och meddela din administratör.',
  },
  second_factor_on: {
    subject: 'Tvåfaktorsinloggning är på',
    text:
      'Inloggningen på ditt konto kräver nu också en kod från din autentiseringsapp (tvåfaktorsinloggning). ' +
      'Om det inte var du, säg till din administratör.',
  },
  second_factor_off: {
    subject: 'Tvåfaktorsinloggning är av',
    text:
      'Inloggningen på ditt konto kräver inte längre någon kod (tvåfaktorsinloggning). Om det inte var du, ' +
      'byt lösenord och säg till din administratör.',
  },
  verify_email: {
    subject: 'Bekräfta din e-postadress',
    text: 'Den här adressen har lagts till i ditt konto. Öppna länken för att bekräfta att den är din:',
    button: 'Bekräfta adressen',
    after:
      'Länken gäller i %{hours} timmar och fungerar en gång. Om du inte har något konto här kan du bortse från ' +
      'meddelandet.',
  },
  email_changed: {
    subject: 'Din e-postadress har ändrats',
    text:
      'En annan e-postadress är nu den primära för ditt konto; meddelanden skickas dit. Om det inte var du, ' +
      'säg till din administratör.',
  },
};

import type { UiTexts } from '../types';

/** What happened to rows: their history, the bin, changes by several people at once. */
export const history: UiTexts['history'] = {
  title: 'Historik',
  empty: 'Inga ändringar har antecknats hittills.',
  more: 'Visa mer',
  restore: 'Återställ',
  restore_title: 'Återställa det tidigare värdet för ”%{field}”?',
  restore_text: 'Det ersätter det nuvarande värdet, som om du hade skrivit in det.',
  restore_button: 'Återställ värdet',
  restored: 'Tidigare värde återställt',
  hidden: 'Fält som du inte får se har ändrats.',
  as: '%{name} som %{as}',
  by_token: '%{name} med token ”%{token}”',
  server: 'Sweepline',
  nothing: 'tomt',
  open: 'Öppna',
  before: 'Före',
  after: 'Efter',
};

export const bin: UiTexts['bin'] = {
  remove: 'Ta bort för gott',
  remove_title: 'Ta bort ”%{name}” för gott?',
  remove_text: 'Det kan inte återställas efteråt. Historiken behåller innehållet.',
  removed: '%{name} borttagen för gott',
  restore: 'Återställ',
  bulk_remove_title: 'Ta bort %{counted} för gott?',
  bulk_remove_button: 'Ta bort %{counted}',
  bulk_removed: '%{counted} borttagna för gott',
  bulk_restored: '%{counted} återställda',
  empty: 'Papperskorgen är tom',
  empty_text: 'Det som tas bort ligger kvar här och kan återställas.',
  leave: 'Tillbaka till listan',
};

export const merge: UiTexts['merge'] = {
  changed_now: 'Ändrades nyss',
  changed_by: '%{name} har ändrat detta under tiden. Det du har skrivit finns kvar.',
  changed_somebody: 'Detta har ändrats under tiden. Det du har skrivit finns kvar.',
  compare: 'Jämför',
  title: 'Någon har ändrat detta under tiden',
  text: 'Välj för varje fält vilken version som gäller. Inget du har skrivit går förlorat.',
  before: 'Före',
  mine: 'Din',
  theirs: 'Andras',
  save: 'Spara den här versionen',
  go_on: 'Fortsätt redigera',
  both: 'Båda stämmer överens.',
};

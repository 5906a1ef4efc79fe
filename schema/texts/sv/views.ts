/** Lists as people like to see them. */
import type { Texts } from '../types';

export const views: Pick<Texts['resources'], 'saved_views'> = {
  saved_views: {
    name: 'Sparad vy',
    plural: 'Sparade vyer',
    counted: '%{smart_count} sparad vy |||| %{smart_count} sparade vyer',
    add: 'Spara vy',
    edit: 'Redigera vy',
    added: 'Vyn sparades',
    changed: 'Vyn ändrades',
    deleted: 'Vyn togs bort',
    empty: 'Här visas filter, kolumner och sorteringar som du sparar i en lista.',
    fields: {
      name: 'Namn',
      resource: 'Lista',
      query: 'Filter och sortering',
      columns: 'Kolumner',
      widths: 'Kolumnbredder',
      layout: 'Visas som',
      client_id: 'Delad med kunden',
      role_id: 'Delad med rollen',
      is_default: 'Öppna listan med den här vyn',
      user_id: 'Ägare',
    },
    choices: { layout: { table: 'Tabell', map: 'Karta' } },
    help: {
      client_id: 'Alla hos den här kunden kan öppna vyn.',
      role_id: 'Alla med den här rollen kan öppna vyn.',
      is_default: 'För dig, eller för alla som den delas med.',
    },
    groups: { main: 'Vy', shared: 'Delad med', list: 'Lista' },
  },
};

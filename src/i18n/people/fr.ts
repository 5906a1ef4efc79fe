import type { PeopleTexts } from './types';

export const people: PeopleTexts = {
  facets: {
    title: 'Filtrer par valeur',
    without: 'Sans',
    search: 'Rechercher dans %{name}',
  },
};

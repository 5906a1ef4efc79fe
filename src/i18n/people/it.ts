import type { PeopleTexts } from './types';

export const people: PeopleTexts = {
  facets: {
    title: 'Filtra per valore',
    without: 'Senza',
    search: 'Cerca in %{name}',
  },
};

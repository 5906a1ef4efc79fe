import type { PeopleTexts } from './types';

export const people: PeopleTexts = {
  facets: {
    title: 'Filtruj według wartości',
    without: 'Brak',
    search: 'Szukaj w: %{name}',
  },
};

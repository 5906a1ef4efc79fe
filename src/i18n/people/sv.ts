import type { PeopleTexts } from './types';

export const people: PeopleTexts = {
  facets: {
    title: 'Filtrera efter värde',
    without: 'Utan',
    search: 'Sök i %{name}',
  },
};

import type { PeopleTexts } from './types';

export const people: PeopleTexts = {
  facets: {
    title: 'Nach Wert filtern',
    without: 'Ohne',
    search: 'In %{name} suchen',
  },
};

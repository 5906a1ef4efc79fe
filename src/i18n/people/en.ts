/** Interface texts about people, their rights and what lists count. */
export const people = {
  facets: {
    title: 'Filter by value',
    without: 'Without',
    search: 'Search in %{name}',
  },
} as const;

import { useListContext } from 'ra-core';

/** Returns a function that clears the filters and resets to page 1 with 10 rows (specification, section 4). */
export function useClearFilters(): () => void {
  const { setFilters, setPerPage, setPage } = useListContext();
  return () => {
    setFilters({});
    setPerPage(10);
    setPage(1);
  };
}

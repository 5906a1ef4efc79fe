import { useListContext } from 'ra-core';

/** Returns a function that clears the filters and resets to 10 per page, page 1 (specification, section 4). */
export function useClearFilters(): () => void {
  const { setFilters, setPerPage, setPage } = useListContext();
  return () => {
    setFilters({});
    setPerPage(10);
    setPage(1);
  };
}

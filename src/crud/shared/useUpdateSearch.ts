import { useSearchParams } from 'react-router-dom';

/**
 * Returns a function that sets parameters of the address without a new entry in the history. An empty value removes its
 * parameter.
 */
export function useUpdateSearch(): (values: Record<string, string | number | undefined>) => void {
  const [, setSearch] = useSearchParams();
  return (values) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(values))
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, String(value));
        return next;
      },
      { replace: true },
    );
}

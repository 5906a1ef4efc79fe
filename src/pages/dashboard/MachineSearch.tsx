import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { fetchRows } from '../../providers/rows';
import { Icon } from '../../ui/Icon';
import { StateMark } from '../../ui/StateMark';
import { useClickOutside } from '../../ui/useOutside';

const shown = 8;
/** Milliseconds after the last keystroke before the request. */
const pause = 250;

/** Searches machines by serial number, machine id or type while the user types. */
export const MachineSearch = () => {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const query = useSettled(text.trim());
  const box = useRef<HTMLDivElement>(null);
  useClickOutside(box, open, () => setOpen(false));
  const { data } = useQuery({
    queryKey: ['dashboard', 'search', query],
    queryFn: ({ signal }) => find(query, signal),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const results = query === '' ? undefined : data;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears Escape bubbling up from the input and the results
    <div className="sl-search" ref={box} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <label htmlFor="machine-search">{translate('dashboard.search')}</label>
      <search>
        <Icon name="search" />
        <input
          type="search"
          value={text}
          id="machine-search"
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
        />
      </search>
      <p className="sl-hidden" role="status">
        {results && translate('list.count', { smart_count: results.total })}
      </p>
      {open && results && (
        <div className="sl-search-results">
          {results.data.length === 0 && <p>{translate('dashboard.no_results', { query })}</p>}
          <ul aria-label={translate('dashboard.search_results')}>
            {results.data.map((machine) => (
              <li key={machine.id}>
                <Link to={`/machines/${machine.id}`}>
                  <strong>{machine.serial_number}</strong>
                  <span>
                    {[machine.type?.name ?? machine.custom_type, machine.location?.name].filter(Boolean).join(' · ')}
                  </span>
                  <StateMark state={machine.status} />
                </Link>
              </li>
            ))}
          </ul>
          {results.total > results.data.length && (
            <Link
              className="sl-search-all"
              to={`/machines?${new URLSearchParams({ filter: JSON.stringify({ search: query }), page: '1' })}`}
            >
              {translate('dashboard.all_machines')} ({results.total})
            </Link>
          )}
        </div>
      )}
    </div>
  );
};

/** Matching machines; an exact id comes first. */
async function find(text: string, signal: AbortSignal) {
  const search = (path: 'search' | 'id') =>
    fetchRows('machines', {
      per_page: shown,
      include: ['type', 'location'],
      filter: [{ path, values: [text] }],
      signal,
    });
  const [matching, same] = await Promise.all([
    search('search'),
    /^[1-9]\d{0,8}$/.test(text) ? search('id') : undefined,
  ]);
  const first = (same?.data ?? []).filter(({ id }) => matching.data.every((machine) => machine.id !== id));
  return { data: [...first, ...matching.data], total: matching.total + first.length };
}

/** The value, debounced. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

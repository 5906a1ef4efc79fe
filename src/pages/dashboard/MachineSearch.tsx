import useAutocomplete from '@mui/material/useAutocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type HTMLAttributes, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { fetchRows } from '../../providers/rows';
import { Icon } from '../../ui/Icon';
import { StateMark } from '../../ui/StateMark';
import { useDebouncedValue } from '../../ui/useDebouncedValue';

const maxMatches = 8;
/** Milliseconds between the last keystroke and the request. */
const typingDelay = 250;

/** Searches machines by serial number, id or type while the user types. Results are links. */
export const MachineSearch = () => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const query = useDebouncedValue(text.trim(), typingDelay);
  const { data } = useQuery({
    queryKey: ['dashboard', 'search', query],
    queryFn: ({ signal }) => searchMachines(query, signal),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const results = query === '' ? undefined : data;
  const paths = (results?.data ?? []).map(({ id }) => `/machines/${id}`);
  const allPath = `/machines?${new URLSearchParams({ filter: JSON.stringify({ search: query }), page: '1' })}`;
  const hasMore = results && results.total > paths.length;
  const { getRootProps, getInputProps, getListboxProps, getOptionProps } = useAutocomplete({
    id: 'machine-search',
    options: hasMore ? [...paths, allPath] : paths,
    filterOptions: (options) => options,
    getOptionLabel: (path) => path,
    value: null,
    // The browser handles clicks, so that links can be opened in a new tab.
    onChange: ({ type }, path) => type === 'keydown' && path && navigate(path),
    inputValue: text,
    onInputChange: (_, next, reason) => reason === 'input' && setText(next),
    selectOnFocus: false,
    openOnFocus: true,
    open,
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
  });
  const listboxProps: HTMLAttributes<HTMLElement> = getListboxProps();
  const optionLinkProps = (to: string, index: number) => {
    const { key: _, ...option } = getOptionProps({ option: to, index });
    return { ...(option as HTMLAttributes<HTMLElement>), to };
  };
  return (
    <div className="sl-search">
      <label htmlFor="machine-search">{translate('dashboard.search')}</label>
      <search {...getRootProps()}>
        <Icon name="search" />
        <input {...getInputProps()} type="search" />
      </search>
      <p className="sl-hidden" role="status">
        {results && translate('list.count', { smart_count: results.total })}
      </p>
      {open && results && (
        <div className="sl-search-results">
          {results.data.length === 0 && <p>{translate('dashboard.no_results', { query })}</p>}
          <div
            {...listboxProps}
            role="listbox"
            aria-labelledby={undefined}
            aria-label={translate('dashboard.search_results')}
          >
            {results.data.map((machine, index) => (
              <Link
                key={machine.id}
                {...optionLinkProps(`/machines/${machine.id}`, index)}
                className="sl-search-machine"
              >
                <strong>{machine.serial_number}</strong>
                <span>
                  {[machine.type?.name ?? machine.custom_type, machine.location?.name].filter(Boolean).join(' · ')}
                </span>
                <StateMark state={machine.status} />
              </Link>
            ))}
            {hasMore && (
              <Link {...optionLinkProps(allPath, paths.length)} className="sl-search-all">
                {translate('dashboard.all_machines')} ({results.total})
              </Link>
            )}
          </div>
        </div>
      )}
    </div>
  );
};

/** Machines that match the text. The machine whose id is the text comes first. */
async function searchMachines(text: string, signal: AbortSignal) {
  const search = (path: 'search' | 'id') =>
    fetchRows('machines', {
      per_page: maxMatches,
      include: ['type', 'location'],
      filter: [{ path, values: [text] }],
      signal,
    });
  const [matching, byId] = await Promise.all([
    search('search'),
    /^[1-9]\d{0,8}$/.test(text) ? search('id') : undefined,
  ]);
  const exactMatches = (byId?.data ?? []).filter(({ id }) => matching.data.every((machine) => machine.id !== id));
  return { data: [...exactMatches, ...matching.data], total: matching.total + exactMatches.length };
}

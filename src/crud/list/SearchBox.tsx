import { useListContext, useTranslate } from 'ra-core';
import { useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { filterLabel } from '../shared/filters';

/** Milliseconds after the last keystroke before the search runs. */
const typingDelay = 300;

/** Searches the entity's declared search fields while the user types. */
export const SearchBox = ({ entity }: { entity: Entity }) => {
  const translate = useTranslate();
  const { filterValues, setFilters } = useListContext();
  const search = typeof filterValues.search === 'string' ? filterValues.search : '';
  const [text, setText] = useState(search);
  const sentRef = useRef(search);
  const input = useRef<HTMLInputElement>(null);
  const [lastSearch, setLastSearch] = useState(search);
  // The list applies a search with a delay. Until then it reports the previous search, which must not reset the input.
  if (search !== lastSearch) {
    setLastSearch(search);
    // The search was changed elsewhere, such as by a link.
    if (search !== sentRef.current) {
      sentRef.current = search;
      setText(search);
    }
  }
  useEffect(() => {
    if (text === sentRef.current) return;
    const timer = setTimeout(() => {
      sentRef.current = text;
      const { search: _, ...others } = filterValues;
      setFilters(text.trim() === '' ? others : { ...others, search: text });
    }, typingDelay);
    return () => clearTimeout(timer);
  }, [text, filterValues, setFilters]);
  const fields = [...new Set(entity.list.search.map((path) => filterLabel(entity, path, translate)))].join(' · ');
  return (
    <search className="sl-list-search">
      <Icon name="search" size={18} />
      <input
        ref={input}
        type="search"
        aria-label={translate('list.search')}
        placeholder={translate('list.search')}
        title={fields}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          label={translate('list.clear_search')}
          size={16}
          onClick={() => {
            setText('');
            // The button disappears.
            input.current?.focus();
          }}
        />
      )}
    </search>
  );
};

import { useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../layout/Icon';
import { Dropdown, MenuItem } from './Dropdown';
import { filterLabel, offeredFilters } from './filters';

interface AddFilterProps {
  entity: Entity;
  taken: readonly string[];
  onChosen: (path: string) => void;
}

/** The menu of filters not in force yet: the declared ones first, then every field the reader sees. */
export const AddFilter = ({ entity, taken, onChosen }: AddFilterProps) => {
  const translate = useTranslate();
  return (
    <Dropdown className="sl-button sl-button-dashed" title={translate('filters.add')} panel={(close) => <Offered {...{ entity, taken, onChosen, close }} />}>
      <Icon name="filter" size={16} />
      {translate('filters.add')}
    </Dropdown>
  );
};

const Offered = ({ entity, taken, onChosen, close }: AddFilterProps & { close: () => void }) => {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const offered = offeredFilters(entity)
    .filter((path) => !taken.includes(path))
    .map((path) => ({ path, label: filterLabel(entity, path, translate) }))
    .filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()));
  return (
    <>
      <input
        className="sl-input"
        type="text"
        aria-label={translate('frame.search')}
        placeholder={translate('frame.search')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <ul className="sl-menu">
        {offered.map(({ path, label }) => (
          <li key={path}>
            <MenuItem
              onClick={() => {
                close();
                onChosen(path);
              }}
            >
              {label}
            </MenuItem>
          </li>
        ))}
        {offered.length === 0 && <li className="sl-menu-nothing">{translate('form.no_options')}</li>}
      </ul>
    </>
  );
};

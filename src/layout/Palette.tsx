import useAutocomplete from '@mui/material/useAutocomplete';
import type { RaRecord } from 'ra-core';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { hintsOf } from '../../schema/features/search';
import { findEntity, relatedOf, titleOf } from '../crud/shared/entities';
import { pathOf } from '../crud/shared/paths';
import { useLanguage } from '../crud/shared/useLanguage';
import { Icon, type IconName } from '../ui/Icon';
import { Modal } from '../ui/Modal';
import { OptionGroup } from '../ui/OptionGroup';
import { useClearLists } from './useClearLists';
import './palette.css';
import { navigationTargets, placesNamed } from './navigationTargets';
import { useRecentlyViewed } from './useRecentlyViewed';
import { useSearchResults } from './useSearchResults';

interface Line {
  key: string;
  icon: IconName;
  name: string;
  hint?: string;
  to: string;
  /** Opens a list without its former filters. */
  fresh?: boolean;
}

interface Group {
  title: string;
  lines: Line[];
}

const icons: Partial<Record<string, IconName>> = {
  machines: 'machines',
  clients: 'clients',
  users: 'users',
  locations: 'pin',
  documents: 'file',
  invitations: 'mail',
};
const iconOf = (entity: string): IconName => icons[entity] ?? 'table';

/** Search over all visible records and all pages: arrow keys move, Enter opens. */
export const Palette = ({ onClose }: { onClose: () => void }) => (
  <Modal title={useTranslate()('palette.title')} className="sl-palette" onClose={onClose}>
    <Search onClose={onClose} />
  </Modal>
);

/** A separate component, because the dialog mounts its content later than itself. */
const Search = ({ onClose }: { onClose: () => void }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const clearLists = useClearLists();
  const [typed, setTyped] = useState('');
  const { groups, waiting, failed } = useGroups(typed);
  const lines = groups.flatMap((group) => group.lines);
  const [at, setAt] = useState(0);
  const current = lines[at] ? at : 0;
  const { getRootProps, getInputProps, getListboxProps, getOptionProps } = useAutocomplete<Line>({
    open: true,
    onClose: (_, reason) => reason === 'escape' && onClose(),
    options: lines,
    filterOptions: (all) => all,
    // The library finds the highlighted line again by its label: results that arrive must not push it down.
    getOptionLabel: (line) => String(lines.indexOf(line)),
    // Scrolling up shows the heading as well.
    groupBy: () => '',
    autoHighlight: true,
    handleHomeEndKeys: typed === '',
    onHighlightChange: (_, line) => setAt(line ? lines.indexOf(line) : 0),
    value: null,
    onChange: (_, line) => {
      if (!line) return;
      onClose();
      if (line.fresh) clearLists();
      navigate(line.to);
    },
    inputValue: typed,
    onInputChange: (_, text, reason) => {
      if (reason !== 'input') return;
      setTyped(text);
      setAt(0);
    },
  });
  const optionOf = (line: Line) => {
    const index = lines.indexOf(line);
    const { key: _, ...option } = getOptionProps({ option: line, index });
    return { ...option, 'aria-selected': index === current };
  };
  const nothing = !waiting && !failed && lines.length === 0;
  return (
    <>
      <div {...getRootProps()} className="sl-palette-field">
        <Icon name="search" size={18} />
        <input
          {...getInputProps()}
          type="text"
          aria-label={translate('palette.title')}
          placeholder={translate('palette.placeholder')}
        />
        <kbd>Esc</kbd>
      </div>
      <ul
        {...getListboxProps()}
        // Browsers let Tab stop at what scrolls; the arrow keys of the input move here.
        tabIndex={-1}
        aria-labelledby={undefined}
        aria-label={translate('palette.results')}
        className="sl-palette-list"
        aria-busy={waiting}
      >
        {groups.map(({ title, lines: own }) => (
          <OptionGroup key={title} title={title} className="sl-palette-heading">
            {own.map((line) => (
              <li key={line.key} {...optionOf(line)} className="sl-palette-line">
                <Icon name={line.icon} size={18} />
                <span className="sl-palette-name">{line.name}</span>
                {line.hint && <span className="sl-palette-hint">{line.hint}</span>}
              </li>
            ))}
          </OptionGroup>
        ))}
      </ul>
      <p role="status" className="sl-palette-status">
        {failed
          ? translate('palette.failed')
          : nothing
            ? translate('palette.nothing', { text: typed })
            : waiting
              ? translate('palette.searching')
              : ''}
      </p>
    </>
  );
};

/** Without text: recently viewed records and pages. With text: matching records, then matching pages. */
function useGroups(typed: string): { groups: Group[]; waiting: boolean; failed: boolean } {
  const translate = useTranslate();
  const language = useLanguage();
  const { groups: foundGroups, waiting, failed } = useSearchResults(typed);
  const all = useMemo(
    () => navigationTargets().map((place) => ({ ...place, name: translate(place.label) })),
    [translate],
  );
  const viewed = useRecentlyViewed();
  const blank = typed.trim() === '';
  const named = blank ? all.filter(({ icon }) => icon !== 'plus') : placesNamed(all, typed);
  const records = foundGroups.map(({ resource, rows }): Group => {
    const entity = findEntity(resource);
    const lines = rows.map((row): Line => {
      const hints = entity ? hintsOf(entity).flatMap((name) => hintOf(row, name)) : [];
      return {
        key: `${resource} ${row.id}`,
        icon: iconOf(resource),
        name: titleOf(entity, row, language),
        hint: hints.join(' · '),
        to: pathOf(resource, row.id),
      };
    });
    return { title: translate(`resources.${resource}.plural`), lines };
    function hintOf(row: Partial<RaRecord>, name: string): string[] {
      const field = entity?.fields[name];
      const related = field && relatedOf(name, field, row);
      const text = related
        ? related.map((one) => titleOf(findEntity(field.to), one, language)).join(', ')
        : field?.kind === 'ref'
          ? ''
          : String(row[name] ?? '');
      return text === '' ? [] : [text];
    }
  });
  const recent: Group = {
    title: translate('palette.recent'),
    lines: blank
      ? viewed.map(({ entity, id, title }) => ({
          key: `recent ${entity} ${id}`,
          icon: iconOf(entity),
          name: title,
          hint: translate(`resources.${entity}.plural`),
          to: pathOf(entity, id),
        }))
      : [],
  };
  const pages: Group = {
    title: translate('palette.pages'),
    lines: named.map(({ label, name, icon, to }) => ({ key: label, icon, name, to, fresh: icon !== 'plus' })),
  };
  return { groups: [recent, ...records, pages].filter(({ lines }) => lines.length > 0), waiting, failed };
}

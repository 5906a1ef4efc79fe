import type { RaRecord } from 'ra-core';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { hintsOf } from '../../schema/features/search';
import { findEntity, pathOf, relatedOf, titleOf } from '../crud/shared/entities';
import { useLanguage } from '../crud/shared/language';
import { Icon, type IconName } from '../ui/Icon';
import { Modal } from '../ui/Modal';
import { useClearLists } from './clearLists';
import './palette.css';
import { navigationTargets, placesNamed } from './navigationTargets';
import { useRecentlyViewed } from './recent';
import { useFound } from './useFound';

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

/** Search over all records within reach and all pages: arrow keys move, Enter opens. */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const clearLists = useClearLists();
  const [typed, setTyped] = useState('');
  const { groups, waiting, failed } = useGroups(typed);
  const lines = groups.flatMap((group) => group.lines);
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = Math.min(at, lines.length - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line it points at moves with both
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current, lines.length]);

  const choose = (line: Line | undefined) => {
    if (!line) return;
    onClose();
    if (line.fresh) clearLists();
    navigate(line.to);
  };
  const walk = (event: KeyboardEvent) => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (event.key === 'Enter') choose(lines[current]);
    else if (to === undefined || lines.length === 0 || ((event.key === 'Home' || event.key === 'End') && typed !== ''))
      return;
    else setAt((to + lines.length) % lines.length);
    event.preventDefault();
  };
  const nothing = !waiting && !failed && lines.length === 0;
  let index = -1;
  return (
    <Modal title={translate('palette.title')} className="sl-palette" onClose={onClose}>
      <div className="sl-palette-field">
        <Icon name="search" size={18} />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into it
          autoFocus
          type="text"
          role="combobox"
          aria-expanded={lines.length > 0}
          aria-controls={listId}
          aria-activedescendant={current >= 0 ? `${listId}-${current}` : undefined}
          aria-autocomplete="list"
          aria-label={translate('palette.title')}
          placeholder={translate('palette.placeholder')}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={walk}
        />
        <kbd>Esc</kbd>
      </div>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={translate('palette.results')}
        className="sl-palette-list"
        aria-busy={waiting}
      >
        {groups.map(({ title, lines: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox is divided by groups, not by fieldsets
          <div key={title} role="group" aria-label={title}>
            <p className="sl-palette-heading" aria-hidden="true">
              {title}
            </p>
            {own.map((line) => {
              index += 1;
              const place = index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field, which keeps the focus
                // biome-ignore lint/a11y/useFocusableInteractive: pointed at by aria-activedescendant
                <div
                  key={line.key}
                  id={`${listId}-${place}`}
                  role="option"
                  aria-selected={place === current}
                  className="sl-palette-line"
                  onMouseMove={() => setAt(place)}
                  onClick={() => choose(line)}
                >
                  <Icon name={line.icon} size={18} />
                  <span className="sl-palette-name">{line.name}</span>
                  {line.hint && <span className="sl-palette-hint">{line.hint}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="sl-palette-status">
        {failed
          ? translate('palette.failed')
          : nothing
            ? translate('palette.nothing', { text: typed })
            : waiting
              ? translate('palette.searching')
              : ''}
      </p>
    </Modal>
  );
};

/** Without text: recently viewed records and pages. With text: matching records, then matching pages. */
function useGroups(typed: string): { groups: Group[]; waiting: boolean; failed: boolean } {
  const translate = useTranslate();
  const language = useLanguage();
  const { groups: found, waiting, failed } = useFound(typed);
  const all = useMemo(
    () => navigationTargets().map((place) => ({ ...place, name: translate(place.label) })),
    [translate],
  );
  const viewed = useRecentlyViewed();
  const blank = typed.trim() === '';
  const named = blank ? all.filter(({ icon }) => icon !== 'plus') : placesNamed(all, typed);
  const records = found.map(({ resource, rows }): Group => {
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

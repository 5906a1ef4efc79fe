import useAutocomplete from '@mui/material/useAutocomplete';
import { useLayoutEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { Icon } from '../ui/Icon';
import { Modal } from '../ui/Modal';
import { OptionGroup } from '../ui/OptionGroup';
import './palette.css';
import { type Line, type PaletteLines, usePaletteLines, useTargetLines } from './paletteLines';
import { takeTypedAhead } from './typedAhead';
import { useClearLists } from './useClearLists';
import type { ChosenAction, SearchAction } from './useSearchActions';
import { useSteadyUnderPointer } from './useSteadyUnderPointer';

interface PaletteProps {
  onAct: (choice: ChosenAction) => void;
  onClose: () => void;
}

/** Search over all visible records, pages and actions. Arrow keys move; Enter opens the page or runs the action. */
export const Palette = ({ onAct, onClose }: PaletteProps) => {
  const [action, setAction] = useState<SearchAction>();
  const props = { onAct, onClose, onAction: setAction };
  return (
    <Modal title={useTranslate()('palette.title')} className="sl-palette" onClose={onClose}>
      {action ? <TargetSearch key={action.name} action={action} {...props} /> : <Search {...props} />}
    </Modal>
  );
};

interface SearchProps extends PaletteProps {
  /** Called with an action that still needs a row, or with `undefined` to return to the first step. */
  onAction: (action: SearchAction | undefined) => void;
}

// A component of its own, because the dialog mounts its content later than `Palette`: until then, `typedAhead.ts`
// collects the typed text.
const Search = (props: SearchProps) => {
  const [searchText, setSearchText] = useState('');
  useLayoutEffect(() => setSearchText(takeTypedAhead()), []);
  return <PaletteList {...props} searchText={searchText} onType={setSearchText} {...usePaletteLines(searchText)} />;
};

/** Second step of an action: choosing its row. */
const TargetSearch = ({ action, ...props }: SearchProps & { action: SearchAction }) => {
  const [searchText, setSearchText] = useState('');
  return (
    <PaletteList
      {...props}
      action={action}
      searchText={searchText}
      onType={setSearchText}
      {...useTargetLines(action, searchText)}
    />
  );
};

interface PaletteListProps extends SearchProps, PaletteLines {
  action?: SearchAction;
  searchText: string;
  onType: (text: string) => void;
}

const PaletteList = ({
  action,
  searchText,
  onType,
  groups: latestGroups,
  isPending,
  isFailed,
  onAct,
  onAction,
  onClose,
}: PaletteListProps) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const clearLists = useClearLists();
  const { displayedValue: groups, handlers, release } = useSteadyUnderPointer(latestGroups);
  const lines = groups.flatMap((group) => group.lines);
  const [activeIndex, setActiveIndex] = useState(0);
  const current = lines[activeIndex] ? activeIndex : 0;
  const { getRootProps, getInputProps, getListboxProps, getOptionProps } = useAutocomplete<Line>({
    open: true,
    onClose: (_, reason) => reason === 'escape' && onClose(),
    options: lines,
    filterOptions: (options) => options,
    // The library identifies the highlighted line by its label. Later results for the same text therefore do not move
    // the highlight, while another text moves it to the first line.
    getOptionLabel: (line) => `${lines.indexOf(line)} ${searchText}`,
    // Otherwise the second render after a change of lines would also highlight the first line, and scroll to it.
    disableCloseOnSelect: true,
    // With groups, scrolling up to a line shows its heading as well.
    groupBy: () => '',
    autoHighlight: true,
    handleHomeEndKeys: searchText === '',
    onHighlightChange: (_, line) => setActiveIndex(line ? lines.indexOf(line) : 0),
    value: null,
    onChange: (_, line) => {
      if (!line) return;
      const { action: chosenAction, row, to } = line;
      if (chosenAction && !row) return onAction(chosenAction);
      onClose();
      if (line.resetsLists) clearLists();
      if (to) navigate(to);
      if (!chosenAction || !row) return;
      if ('to' in chosenAction.act) navigate(chosenAction.act.to(row.id));
      else onAct({ Dialog: chosenAction.act, entity: chosenAction.entity, row });
    },
    inputValue: searchText,
    onInputChange: (_, text, reason) => {
      if (reason !== 'input') return;
      release();
      onType(text);
      setActiveIndex(0);
    },
  });
  const optionOf = (line: Line) => {
    const index = lines.indexOf(line);
    const { key: _, ...option } = getOptionProps({ option: line, index });
    return { ...option, 'aria-selected': index === current };
  };
  const actionName = action && translate(action.label);
  const name = translate(action ? `resources.${action.entity.name}.plural` : 'palette.title');
  const inputProps = getInputProps();
  const isEmpty = !isPending && !isFailed && lines.length === 0;
  return (
    <>
      <div {...getRootProps()} className="sl-palette-field">
        {action ? (
          <button
            type="button"
            className="sl-palette-action"
            aria-label={`${translate('frame.back')}: ${actionName}`}
            onClick={() => onAction(undefined)}
          >
            <Icon name="collapse" size={16} />
            <span>{actionName}</span>
          </button>
        ) : (
          <Icon name="search" size={18} />
        )}
        <input
          {...inputProps}
          // biome-ignore lint/a11y/noAutofocus: the second step replaces the field that had the focus
          autoFocus
          type="text"
          aria-label={name}
          placeholder={action ? `${name} …` : translate('palette.placeholder')}
          onKeyDown={(event) => {
            if (action && searchText === '' && event.key === 'Backspace') onAction(undefined);
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <ul
        {...getListboxProps()}
        {...handlers}
        // Browsers make scrollable elements tab stops; here the arrow keys of the input scroll the list.
        tabIndex={-1}
        aria-labelledby={undefined}
        aria-label={translate('palette.results')}
        className="sl-palette-list"
        aria-busy={isPending}
      >
        {groups.map(({ title, lines: groupLines }) => (
          <OptionGroup key={title} title={title} className="sl-palette-heading">
            {groupLines.map((line) => (
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
        {isFailed
          ? translate('palette.failed')
          : isEmpty
            ? translate('palette.nothing', { text: searchText })
            : isPending
              ? translate('palette.searching')
              : ''}
      </p>
    </>
  );
};

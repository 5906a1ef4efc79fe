import { useTranslate } from 'react-admin';
import { Icon } from '../ui/Icon';
import { openOverlay } from '../ui/overlay';
import { AlertBell } from './AlertBell';
import { Breadcrumbs } from './Breadcrumbs';
import { LanguagePicker } from './LanguagePicker';
import { LogoutButton } from './LogoutButton';
import { ThemeToggle } from './ThemeToggle';

/** The desktop header: breadcrumbs, search, inbox, language, theme and logout. */
export const Header = () => {
  const translate = useTranslate();
  return (
    <header className="sl-header">
      <Breadcrumbs />
      <div className="sl-header-tools">
        <button
          type="button"
          className="sl-search-button"
          onClick={() => openOverlay('search')}
          aria-keyshortcuts="Control+K"
        >
          <Icon name="search" size={18} />
          <span>{translate('palette.title')}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <AlertBell />
        <LanguagePicker />
        <ThemeToggle />
        <LogoutButton />
      </div>
    </header>
  );
};

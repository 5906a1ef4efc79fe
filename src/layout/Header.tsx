import { useTranslate } from 'react-admin';
import { Icon } from '../ui/Icon';
import { open } from '../ui/opened';
import { AlertBell } from './AlertBell';
import { Breadcrumbs } from './Breadcrumbs';
import { LanguagePicker } from './LanguagePicker';
import { ThemeToggle } from './ThemeToggle';
import { useAskLogout } from './useAskLogout';

/** The desktop header: breadcrumbs, language, theme and logout. */
export const Header = () => {
  const translate = useTranslate();
  const askLogout = useAskLogout();
  return (
    <header className="sl-header">
      <Breadcrumbs />
      <div className="sl-header-tools">
        <button type="button" className="sl-search-button" onClick={() => open('search')} aria-keyshortcuts="Control+K">
          <Icon name="search" size={18} />
          <span>{translate('palette.title')}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <AlertBell />
        <LanguagePicker />
        <ThemeToggle />
        <button
          type="button"
          className="sl-icon-button"
          onClick={askLogout}
          aria-label={translate('frame.logout')}
          title={translate('frame.logout')}
        >
          <Icon name="logout" />
        </button>
      </div>
    </header>
  );
};

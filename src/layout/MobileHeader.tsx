import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { open as openAbove } from '../ui/opened';
import { Panel } from '../ui/Panel';
import { AlertBell } from './AlertBell';
import { LanguageList } from './LanguageList';
import { Navigation } from './Navigation';
import { ThemeToggle } from './ThemeToggle';
import { UserCard } from './UserCard';
import { useAskLogout } from './useAskLogout';

/** The phone header: logo and a button that slides in the menu over the whole screen. */
export const MobileHeader = () => {
  const translate = useTranslate();
  const [open, setOpen] = useState(false);
  return (
    <header className="sl-mobile-header">
      <Link to="/" aria-label="Sweepline">
        <Logo />
      </Link>
      <AlertBell />
      <button
        type="button"
        className="sl-icon-button"
        onClick={() => openAbove('search')}
        aria-label={translate('palette.title')}
        title={translate('palette.title')}
      >
        <Icon name="search" size={24} />
      </button>
      <button
        type="button"
        className="sl-icon-button"
        onClick={() => setOpen(true)}
        aria-expanded={open}
        aria-label={translate('frame.open_menu')}
        title={translate('frame.open_menu')}
      >
        <Icon name="menu" size={24} />
      </button>
      <Panel open={open} onClose={() => setOpen(false)} label={translate('frame.menu')}>
        <Menu onClose={() => setOpen(false)} />
      </Panel>
    </header>
  );
};

const Menu = ({ onClose }: { onClose: () => void }) => {
  const translate = useTranslate();
  const askLogout = useAskLogout();
  return (
    <>
      <div className="sl-panel-top">
        <Logo />
        <button
          type="button"
          className="sl-icon-button"
          onClick={onClose}
          aria-label={translate('frame.close_menu')}
          title={translate('frame.close_menu')}
        >
          <Icon name="close" size={24} />
        </button>
      </div>
      <Navigation labelled onChosen={onClose} />
      <section className="sl-panel-languages" aria-label={translate('frame.choose_language')}>
        <p className="sl-nav-heading">{translate('frame.language')}</p>
        <LanguageList onChosen={onClose} />
      </section>
      <div className="sl-sidebar-bottom">
        <UserCard labelled />
        <ThemeToggle />
        <button
          type="button"
          className="sl-icon-button"
          onClick={() => {
            onClose();
            void askLogout();
          }}
          aria-label={translate('frame.logout')}
          title={translate('frame.logout')}
        >
          <Icon name="logout" />
        </button>
      </div>
    </>
  );
};

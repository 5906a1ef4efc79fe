import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { IconButton } from '../ui/IconButton';
import { Logo } from '../ui/Logo';
import { openOverlay } from '../ui/overlay';
import { Panel } from '../ui/Panel';
import { AlertBell } from './AlertBell';
import { LanguageList } from './LanguageList';
import { Navigation } from './Navigation';
import { ThemeToggle } from './ThemeToggle';
import { UserCard } from './UserCard';
import { useAskLogout } from './useAskLogout';

/** The phone header: the logo, and a button that opens the menu over the whole screen. */
export const MobileHeader = () => {
  const translate = useTranslate();
  const [open, setOpen] = useState(false);
  return (
    <header className="sl-mobile-header">
      <Link to="/" aria-label="Sweepline">
        <Logo />
      </Link>
      <AlertBell />
      <IconButton icon="search" label={translate('palette.title')} size={24} onClick={() => openOverlay('search')} />
      <IconButton
        icon="menu"
        label={translate('frame.open_menu')}
        size={24}
        onClick={() => setOpen(true)}
        aria-expanded={open}
      />
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
        <IconButton icon="close" label={translate('frame.close_menu')} size={24} onClick={onClose} />
      </div>
      <Navigation labelled onChosen={onClose} />
      <section className="sl-panel-languages" aria-label={translate('frame.choose_language')}>
        <p className="sl-nav-heading">{translate('frame.language')}</p>
        <LanguageList onChosen={onClose} />
      </section>
      <div className="sl-sidebar-bottom">
        <UserCard labelled />
        <ThemeToggle />
        <IconButton
          icon="logout"
          label={translate('frame.logout')}
          size={20}
          onClick={() => {
            onClose();
            void askLogout();
          }}
        />
      </div>
    </>
  );
};

import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { session, useSession } from '../providers/session';
import { IconButton } from '../ui/IconButton';
import { Logo } from '../ui/Logo';
import { LogoutButton } from './LogoutButton';
import { Navigation } from './Navigation';
import { UserCard } from './UserCard';

/** The desktop navigation: 300 px expanded, 80 px collapsed, as stored in the session. */
export const Sidebar = () => {
  const translate = useTranslate();
  const { sb: expanded } = useSession();
  const toggle = translate(expanded ? 'frame.collapse_sidebar' : 'frame.expand_sidebar');
  return (
    <aside className="sl-sidebar" data-expanded={expanded} aria-label={translate('frame.menu')}>
      <div className="sl-sidebar-top">
        <Link to="/" className="sl-sidebar-logo" aria-label="Sweepline">
          <Logo hasName={expanded} />
        </Link>
        <IconButton
          icon={expanded ? 'collapse' : 'expand'}
          label={toggle}
          size={20}
          onClick={() => session.set({ sb: !expanded })}
          aria-expanded={expanded}
        />
      </div>
      <Navigation labelled={expanded} />
      <div className="sl-sidebar-bottom">
        <UserCard labelled={expanded} />
        <LogoutButton />
      </div>
    </aside>
  );
};

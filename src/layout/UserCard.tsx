import { useLocale } from 'react-admin';
import type { Language } from '../../schema/shared/languages';
import { roleName } from '../i18n/roles';
import { currentUser } from '../providers/auth';
import { Avatar } from '../ui/Avatar';

/** The user's photo, first and last name and first role, at the bottom of the navigation. */
export const UserCard = ({ labelled }: { labelled: boolean }) => {
  const language = useLocale() as Language;
  const user = currentUser();
  if (!user) return null;
  const name = `${user.first_name} ${user.last_name}`;
  return (
    <div className="sl-user" title={labelled ? undefined : name}>
      <Avatar image={user.image} name={name} size={40} />
      {labelled && (
        <div className="sl-user-words">
          <strong>{name}</strong>
          <span>{roleName(user.roles[0] ?? '', language)}</span>
        </div>
      )}
    </div>
  );
};

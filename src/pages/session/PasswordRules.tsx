import { useTranslate } from 'react-admin';
import { passwordLength, passwordSpecials } from '../../../schema/dsl/checks';
import { Icon } from '../../ui/Icon';
import { passwordRules, satisfiesRule } from './rules';

/** The password rules, each marked once it is satisfied. */
export const PasswordRules = ({ password }: { password: string }) => {
  const translate = useTranslate();
  // No-break spaces keep the characters on one line.
  const values = { ...passwordLength, specials: [...passwordSpecials].join('\u00a0') };
  return (
    <ul className="sl-password-rules" aria-live="polite">
      {passwordRules.map((rule) => {
        const isSatisfied = password !== '' && satisfiesRule(rule, password);
        return (
          <li key={rule} data-satisfied={isSatisfied}>
            <Icon name={isSatisfied ? 'check' : 'more'} size={16} />
            {translate(`login.rules.${rule}`, values)}
            {isSatisfied && <span className="sl-hidden">{translate('toasts.success')}</span>}
          </li>
        );
      })}
    </ul>
  );
};

import { useLocale, useTranslate } from 'react-admin';
import { languageCodes } from '../../schema/shared/languages';
import { ownName } from '../i18n/names';
import { Icon } from '../ui/Icon';
import { useChangeLanguage } from './useChangeLanguage';

/** All six languages, the current one highlighted. */
export const LanguageList = ({ onChosen }: { onChosen?: () => void }) => {
  const translate = useTranslate();
  const locale = useLocale();
  const change = useChangeLanguage();
  return (
    <ul className="sl-languages" aria-label={translate('frame.language')}>
      {languageCodes.map((code) => (
        <li key={code}>
          <button
            type="button"
            lang={code}
            aria-current={code === locale ? 'true' : undefined}
            onClick={() => {
              onChosen?.();
              if (code !== locale) void change(code);
            }}
          >
            {ownName(code)}
            {code === locale && <Icon name="check" size={16} />}
          </button>
        </li>
      ))}
    </ul>
  );
};

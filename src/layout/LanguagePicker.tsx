import { useLocale, useTranslate } from 'react-admin';
import { isLanguage, languageCodes } from '../../schema/shared/languages';
import { ownName } from '../i18n/names';
import { Dropdown } from '../ui/Dropdown';
import { Icon } from '../ui/Icon';
import { useChangeLanguage } from './useChangeLanguage';

/** The name of the current language; opens the list of all six. */
export const LanguagePicker = () => {
  const translate = useTranslate();
  const locale = useLocale();
  const change = useChangeLanguage();
  const name = isLanguage(locale) ? ownName(locale) : locale;
  return (
    <Dropdown
      className="sl-picker-button"
      label={`${translate('frame.language')}: ${name}`}
      title={translate('frame.language')}
      align="end"
      entries={() =>
        languageCodes.map((code) => ({
          text: ownName(code),
          lang: code,
          role: 'menuitemradio',
          isChecked: code === locale,
          run: () => void (code !== locale && change(code)),
        }))
      }
    >
      <Icon name="language" />
      <span>{name}</span>
      <Icon name="down" size={16} />
    </Dropdown>
  );
};

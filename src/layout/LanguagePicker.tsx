import { useRef, useState } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { isLanguage } from '../../schema/shared/languages';
import { ownName } from '../i18n/names';
import { Icon } from '../ui/Icon';
import { useClickOutside } from '../ui/useOutside';
import { walkLines } from '../ui/walkLines';
import { LanguageList } from './LanguageList';

/** The name of the current language; opens the list of all six. */
export const LanguagePicker = () => {
  const translate = useTranslate();
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useClickOutside(box, open, () => setOpen(false));
  const name = isLanguage(locale) ? ownName(locale) : locale;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears keys bubbling up from the button and the list
    <div
      className="sl-picker"
      ref={box}
      onKeyDown={(event) => (event.key === 'Escape' && open ? close() : walkLines(event))}
    >
      <button
        ref={button}
        type="button"
        className="sl-picker-button"
        onClick={() => setOpen(!open)}
        aria-expanded={open}
        aria-label={`${translate('frame.language')}: ${name}`}
      >
        <Icon name="language" />
        <span>{name}</span>
        <Icon name="down" size={16} />
      </button>
      {open && (
        <div className="sl-picker-list">
          <LanguageList onChosen={close} />
        </div>
      )}
    </div>
  );
};

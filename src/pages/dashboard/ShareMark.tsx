import { useTranslate } from 'react-admin';
import { useLanguage } from '../../crud/shared/useLanguage';
import { shareLevelOf, sharePrinter } from './shareLevels';

/** Percentage of a plan that was done, as a coloured figure. The level is also stated as text. */
export const ShareMark = ({ share }: { share: number | null }) => {
  const translate = useTranslate();
  const language = useLanguage();
  if (share === null) return <span className="sl-none">{translate('performance.no_plan')}</span>;
  const level = shareLevelOf(share);
  return (
    <span className="sl-level" data-level={level} title={translate(`performance.done_${level}`)}>
      {sharePrinter(language)(share)}
      <span className="sl-hidden"> {translate(`performance.done_${level}`)}</span>
    </span>
  );
};

import { useTranslate } from 'react-admin';
import { formatNumber } from '../../i18n/format';
import { useLanguage } from './useLanguage';

/**
 * Returns a function that states how much of an area was reported or entered rather than derived; `undefined` if none
 * was.
 */
export function useReportedAreaText(): (squareMetres: number | undefined) => string | undefined {
  const translate = useTranslate();
  const language = useLanguage();
  return (squareMetres = 0) =>
    squareMetres >= 0.5
      ? translate('charts.reported', { area: formatNumber(Math.round(squareMetres), { language }) })
      : undefined;
}

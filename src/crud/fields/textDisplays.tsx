import { useTranslate } from 'ra-core';
import type { StateName } from '../../../schema/entities/machines';
import { stateNames } from '../../../schema/entities/machines';
import { formatNumber, formatPercent } from '../../i18n/format';
import { StateMark } from '../../ui/StateMark';
import type { DisplayProps } from './renderers';

/** Plain text: with line breaks on pages; truncated in cells, with the whole text on hover. */
export const TextDisplay = ({ value, cell, field }: DisplayProps) => {
  const text = String(value);
  if (cell) return <span title={text.length > 24 ? text : undefined}>{text}</span>;
  return <span className={field.kind === 'longtext' ? 'sl-longtext' : undefined}>{text}</span>;
};

export const NumberDisplay = ({ value, field, cell, language }: DisplayProps) => {
  const translate = useTranslate();
  if (field.unit === 'percent' && !cell)
    return <span className="sl-numeral">{formatPercent(Number(value), { language })}</span>;
  const decimals = field.unit === 'degree' ? 5 : undefined;
  const number = formatNumber(Number(value), { language, decimals });
  return (
    <span className="sl-numeral">{field.unit && !cell ? `${number} ${translate(`units.${field.unit}`)}` : number}</span>
  );
};

/** The label of a choice; a machine's state has its own mark. */
export const ChoiceDisplay = ({ entity, source, field, value, record }: DisplayProps) => {
  const translate = useTranslate();
  if (field.choices === stateNames)
    return (
      <StateMark state={value as StateName} since={record[`${source}_since`]} reason={record[`${source}_reason`]} />
    );
  return <span>{translate(`resources.${entity.name}.choices.${source}.${value}`, { _: String(value) })}</span>;
};

import './hours.css';
import { useTranslate } from 'ra-core';
import { type Hours, type HoursException, type HoursSpan, type Weekday, weekdayCodes } from '../../../schema/dsl/hours';
import { isDay } from '../../../schema/dsl/isDay';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { useLanguage } from '../shared/useLanguage';
import { DayBox } from './DayBox';
import { dayNames } from './dayNames';
import { attributes, type InputProps } from './inputProps';
import { defaultSpan, SpansInput } from './SpansInput';

type HoursValue = Pick<Hours, 'note' | 'week' | 'holidays' | 'exceptions'>;

const defaultSpans: HoursSpan[] = [defaultSpan];
const emptyHours: HoursValue = { note: null, week: null, holidays: null, exceptions: [] };

/** Input for opening hours: a row per weekday with its spans, then public holidays, exceptions and a note. */
export const HoursInput = (props: InputProps) => {
  const translate = useTranslate();
  const { entity, source, value, onChange, disabled, id } = props;
  const names = dayNames(useLanguage(), 'long');
  const hours: HoursValue = { ...emptyHours, ...(typeof value === 'object' ? value : { note: String(value) }) };
  const change = (changes: Partial<HoursValue>) => {
    const { note, week, holidays, exceptions } = { ...hours, ...changes };
    const isEmpty = !note && !week && !holidays && exceptions.length === 0;
    onChange(isEmpty ? null : { note, week, holidays, exceptions });
  };
  const setDay = (day: Weekday, spans: HoursSpan[]) =>
    change({ week: { ...(hours.week as NonNullable<Hours['week']>), [day]: spans } });
  const allDays = (spansOf: (day: Weekday) => HoursSpan[]) =>
    Object.fromEntries(weekdayCodes.map((day) => [day, spansOf(day)])) as NonNullable<Hours['week']>;
  return (
    <fieldset className="sl-hours-input" aria-describedby={props.describedBy}>
      <legend className="sl-hidden">{translate(`resources.${entity.name}.fields.${source}`)}</legend>
      {hours.week ? (
        <>
          {weekdayCodes.map((day, index) => (
            <div key={day} className="sl-hours-row">
              <span className="sl-hours-day">{names[index]}</span>
              <SpansInput
                name={names[index] as string}
                spans={hours.week?.[day] ?? []}
                disabled={disabled}
                onChange={(spans) => setDay(day, spans)}
                onCopy={() => change({ week: allDays(() => hours.week?.[day] ?? []) })}
              />
            </div>
          ))}
          <SmallButton icon="trash" disabled={disabled} onClick={() => change({ week: null })}>
            {translate('hours.clear')}
          </SmallButton>
        </>
      ) : (
        <div className="sl-hours-row">
          <span>{translate('hours.unknown')}</span>
          <SmallButton
            icon="plus"
            disabled={disabled}
            onClick={() => change({ week: allDays((day) => (day === 'sa' || day === 'su' ? [] : defaultSpans)) })}
          >
            {translate('hours.enter')}
          </SmallButton>
        </div>
      )}
      <div className="sl-hours-row">
        <label className="sl-hours-day" htmlFor={`${id}-holidays`}>
          {translate('hours.holidays')}
        </label>
        <select
          id={`${id}-holidays`}
          className="sl-input"
          disabled={disabled}
          value={hours.holidays === null ? 'as_weekday' : hours.holidays.length === 0 ? 'closed' : 'own'}
          onChange={({ target }) =>
            change({ holidays: target.value === 'as_weekday' ? null : target.value === 'closed' ? [] : defaultSpans })
          }
        >
          {['as_weekday', 'closed', 'own'].map((word) => (
            <option key={word} value={word}>
              {translate(`hours.${word}`)}
            </option>
          ))}
        </select>
        {hours.holidays !== null && hours.holidays.length > 0 && (
          <SpansInput
            name={translate('hours.holidays')}
            spans={hours.holidays}
            disabled={disabled}
            onChange={(holidays) => change({ holidays })}
          />
        )}
      </div>
      <Exceptions exceptions={hours.exceptions} disabled={disabled} onChange={(exceptions) => change({ exceptions })} />
      <label className="sl-hours-note">
        <span>{translate('hours.note')}</span>
        <input
          className="sl-input"
          type="text"
          {...attributes(props)}
          id={`${id}-note`}
          value={hours.note ?? ''}
          onChange={({ target }) => change({ note: target.value || null })}
        />
      </label>
    </fieldset>
  );
};

interface ExceptionsProps {
  exceptions: readonly HoursException[];
  disabled: boolean;
  onChange: (exceptions: HoursException[]) => void;
}

/** Days or periods whose hours differ from those of their weekday. */
function Exceptions({ exceptions, disabled, onChange }: ExceptionsProps) {
  const translate = useTranslate();
  const changeException = (index: number, changes: Partial<HoursException>) =>
    onChange(
      exceptions.map((exception, exceptionIndex) =>
        exceptionIndex === index ? { ...exception, ...changes } : exception,
      ),
    );
  return (
    <fieldset className="sl-hours-exceptions">
      <legend>{translate('hours.exceptions')}</legend>
      {exceptions.map(({ from, to, spans }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: exceptions have no identity but their position
        <div key={index} className="sl-hours-row">
          <DayBox
            aria-label={translate('hours.first_day')}
            aria-invalid={from === ''}
            disabled={disabled}
            value={from}
            onChange={(day) => {
              // An incomplete day must not replace the last one.
              const changesBoth = to === from || (isDay(day) && to < day);
              changeException(index, { from: day, ...(changesBoth && { to: day }) });
            }}
          />
          <DayBox
            aria-label={translate('hours.last_day')}
            aria-invalid={to < from}
            disabled={disabled}
            value={to}
            onChange={(day) => changeException(index, { to: day })}
          />
          <SpansInput
            name={translate('hours.exception')}
            spans={spans}
            disabled={disabled}
            onChange={(newSpans) => changeException(index, { spans: newSpans })}
          />
          <IconButton
            icon="trash"
            label={translate('hours.remove_exception')}
            disabled={disabled}
            onClick={() => onChange(exceptions.filter((_, exceptionIndex) => exceptionIndex !== index))}
          />
        </div>
      ))}
      <SmallButton
        icon="plus"
        disabled={disabled}
        onClick={() => onChange([...exceptions, { to: '', from: '', spans: [] }])}
      >
        {translate('hours.add_exception')}
      </SmallButton>
    </fieldset>
  );
}

interface SmallButtonProps {
  icon: 'plus' | 'trash';
  disabled: boolean;
  onClick: () => void;
  children: string;
}

const SmallButton = ({ icon, children, ...button }: SmallButtonProps) => (
  <button type="button" className="sl-button sl-button-small" {...button}>
    <Icon name={icon} size={16} />
    {children}
  </button>
);

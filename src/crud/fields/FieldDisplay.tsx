import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { memo, type ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relationName';
import { formatDate, formatDuration, formatMoney } from '../../i18n/format';
import { isReadable, relatedOf } from '../shared/entities';
import { useLanguage } from '../shared/useLanguage';
import { HoursDisplay } from './HoursDisplay';
import { JsonDisplay } from './JsonDisplay';
import { CountDisplay, ReferenceDisplay, ReferencesDisplay } from './relatedDisplays';
import { type DisplayProps, findEmptyRenderer, findRenderer } from './renderers';
import { ChoiceDisplay, NumberDisplay, TextDisplay } from './textDisplays';
import {
  BooleanDisplay,
  ColorDisplay,
  EmailDisplay,
  ImageDisplay,
  InstantDisplay,
  PhoneDisplay,
  TagsDisplay,
} from './valueDisplays';

export interface FieldDisplayProps<E extends Entity> {
  entity: E;
  source: Extract<keyof E['fields'], string>;
  record: Partial<RaRecord>;
  /** Whether it is a table cell: the column head shows the unit, and long values are truncated. */
  cell?: boolean;
}

const numeral = (text: string) => <span className="sl-numeral">{text}</span>;

/** The renderer of each kind. */
const renderers: Record<Kind, (props: DisplayProps) => ReactNode> = {
  text: TextDisplay,
  longtext: TextDisplay,
  email: (props) => <EmailDisplay {...props} />,
  phone: (props) => <PhoneDisplay {...props} />,
  color: (props) => <ColorDisplay {...props} />,
  integer: (props) =>
    props.field.unit === 's' ? (
      numeral(formatDuration(Number(props.value), props.language))
    ) : (
      <NumberDisplay {...props} />
    ),
  number: (props) => <NumberDisplay {...props} />,
  money: ({ value, language }) => numeral(formatMoney(String(value), language)),
  boolean: (props) => <BooleanDisplay {...props} />,
  date: ({ value }) => <time dateTime={String(value)}>{formatDate(String(value))}</time>,
  instant: (props) => <InstantDisplay {...props} />,
  choice: (props) => <ChoiceDisplay {...props} />,
  tags: (props) => <TagsDisplay {...props} />,
  hours: (props) => <HoursDisplay {...props} />,
  json: (props) => <JsonDisplay {...props} />,
  image: (props) => <ImageDisplay {...props} />,
  password: () => null,
  ref: (props) => <ReferenceDisplay {...props} />,
  refs: (props) => <ReferencesDisplay {...props} />,
  many: (props) => <CountDisplay {...props} />,
  records: (props) => <RecordsDisplay {...props} />,
};

const AnyFieldDisplay = ({ entity, source, record, cell = false }: FieldDisplayProps<Entity>) => {
  const language = useLanguage();
  const field = entity.fields[source];
  if (!field || !isReadable(field)) return null;
  const value = displayedValue(field, source, record);
  if (isNothing(value))
    return (
      (!cell && findEmptyRenderer(entity.name, source)?.({ record, language })) || <span className="sl-nothing">–</span>
    );
  const renderValue = findRenderer(entity.name, source) ?? renderers[field.kind];
  return renderValue({ entity, source, field, record, value, cell, language });
};

/** Renders the value of a field by its kind: a dash if it is empty, nothing if the user may not see the field. */
export const FieldDisplay = memo(AnyFieldDisplay) as <E extends Entity>(props: FieldDisplayProps<E>) => ReactNode;

/** The value to render: the count of a `many`, the included rows of a `refs`, else the row's value of the field. */
function displayedValue(field: Field, source: string, record: Partial<RaRecord>): unknown {
  if (field.kind === 'many') return record[`${relationName(source, field)}_count`];
  if (field.kind === 'refs') return relatedOf(source, field, record) ?? record[source];
  return record[source];
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** One line per record, with each value rendered by its kind; omits values that are false. */
const RecordsDisplay = ({ entity, source, field, value, cell }: DisplayProps) => {
  const translate = useTranslate();
  const valueFields = Object.entries(field.of ?? {});
  const rows = value as Record<string, unknown>[];
  if (cell) return <span>{rows.map((row) => row[valueFields[0]?.[0] ?? '']).join(', ')}</span>;
  return (
    <ul className="sl-records">
      {rows.map((row) => (
        <li key={JSON.stringify(row)}>
          {valueFields.map(([name, valueField]) =>
            valueField.kind === 'boolean' ? (
              row[name] === true && (
                <span key={name} className="sl-tag">
                  {translate(`resources.${entity.name}.fields.${source}.${name}`)}
                </span>
              )
            ) : (
              <FieldDisplay key={name} entity={{ ...entity, fields: field.of ?? {} }} source={name} record={row} />
            ),
          )}
        </li>
      ))}
    </ul>
  );
};

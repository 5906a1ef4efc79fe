import { useTranslate } from 'ra-core';
import { EmailAddress } from '../../ui/EmailAddress';
import { Icon } from '../../ui/Icon';
import { Image } from '../../ui/Image';
import { RelativeTime } from '../../ui/RelativeTime';
import type { DisplayProps } from './renderers';

export const EmailDisplay = ({ value, cell }: DisplayProps) => (
  <a href={`mailto:${value}`} title={cell ? String(value) : undefined}>
    <EmailAddress email={String(value)} />
  </a>
);

export const PhoneDisplay = ({ value }: DisplayProps) => (
  <a href={`tel:${String(value).replace(/[^+\d]/g, '')}`}>{String(value)}</a>
);

/** A colour swatch beside its code. */
export const ColorDisplay = ({ value }: DisplayProps) => (
  <span className="sl-swatch-with-code">
    <span className="sl-swatch" style={{ background: String(value) }} aria-hidden="true" />
    {String(value)}
  </span>
);

/** Yes or no, or the words that the field declares. */
export const BooleanDisplay = ({ entity, source, value }: DisplayProps) => {
  const translate = useTranslate();
  return (
    <span className="sl-boolean" data-value={Boolean(value)}>
      <Icon name={value ? 'check' : 'close'} size={16} />
      {translate(`resources.${entity.name}.choices.${source}.${Boolean(value)}`, {
        _: translate(value ? 'frame.yes' : 'frame.no'),
      })}
    </span>
  );
};

export const InstantDisplay = ({ value }: DisplayProps) => <RelativeTime value={String(value)} />;

/** Tags as chips. A cell shows two, counts the others and names them on hover. */
export const TagsDisplay = ({ value, cell }: DisplayProps) => {
  const translate = useTranslate();
  const tags = value as string[];
  const visibleTags = cell ? tags.slice(0, 2) : tags;
  return (
    <span className="sl-tags" title={visibleTags.length < tags.length ? tags.join(', ') : undefined}>
      {visibleTags.map((tag) => (
        <span key={tag} className="sl-tag">
          {tag}
        </span>
      ))}
      {visibleTags.length < tags.length && (
        <span className="sl-more">{translate('list.more_values', { count: tags.length - visibleTags.length })}</span>
      )}
    </span>
  );
};

export const ImageDisplay = ({ value, cell, entity, source }: DisplayProps) => {
  const translate = useTranslate();
  const size = cell ? 28 : 96;
  return (
    <Image
      className="sl-picture"
      source={String(value)}
      alt={cell ? '' : translate(`resources.${entity.name}.fields.${source}`)}
      width={size}
      height={size}
    />
  );
};

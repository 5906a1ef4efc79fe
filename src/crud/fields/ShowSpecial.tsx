import { useTranslate } from 'ra-core';
import { EmailAddress } from '../../ui/EmailAddress';
import { Icon } from '../../ui/Icon';
import { Image } from '../../ui/Image';
import { RelativeTime } from '../../ui/RelativeTime';
import type { Shown } from './shown';

export const ShowEmail = ({ value, cell }: Shown) => (
  <a href={`mailto:${value}`} title={cell ? String(value) : undefined}>
    <EmailAddress email={String(value)} />
  </a>
);

export const ShowPhone = ({ value }: Shown) => (
  <a href={`tel:${String(value).replace(/[^+\d]/g, '')}`}>{String(value)}</a>
);

/** A small swatch beside its code. */
export const ShowColor = ({ value }: Shown) => (
  <span className="sl-swatch-with-code">
    <span className="sl-swatch" style={{ background: String(value) }} aria-hidden="true" />
    {String(value)}
  </span>
);

/** Yes or no, or the words the field declares. */
export const ShowBoolean = ({ entity, source, value }: Shown) => {
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

export const ShowInstant = ({ value }: Shown) => <RelativeTime value={String(value)} />;

/** Tags as chips; a cell shows the first two, counts the others and names them on hover. */
export const ShowTags = ({ value, cell }: Shown) => {
  const translate = useTranslate();
  const tags = value as string[];
  const shown = cell ? tags.slice(0, 2) : tags;
  return (
    <span className="sl-tags" title={shown.length < tags.length ? tags.join(', ') : undefined}>
      {shown.map((tag) => (
        <span key={tag} className="sl-tag">
          {tag}
        </span>
      ))}
      {shown.length < tags.length && (
        <span className="sl-more">{translate('list.more_values', { count: tags.length - shown.length })}</span>
      )}
    </span>
  );
};

export const ShowImage = ({ value, cell, entity, source }: Shown) => {
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

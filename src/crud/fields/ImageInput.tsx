import { useTranslate } from 'ra-core';
import { useEffect, useRef, useState } from 'react';
import { limits } from '../../../schema/dsl/checks';
import { IconButton } from '../../ui/IconButton';
import { Image } from '../../ui/Image';
import { useFileDrop } from '../../ui/useFileDrop';
import { attributes, type InputProps, inputText } from './inputProps';

/** Input for an image: a chosen or dropped file, or a URL. Shows a preview before the image is saved. */
export const ImageInput = (props: InputProps) => {
  const translate = useTranslate();
  const fileInput = useRef<HTMLInputElement>(null);
  const { value, onChange, disabled } = props;
  const preview = usePreview(value);
  const handleFile = (file: File | undefined) => file && onChange(file);
  const dropHandlers = useFileDrop((file) => !disabled && handleFile(file));
  const isUrl = !(value instanceof Blob) && /^https?:/i.test(inputText(value));
  return (
    <div className="sl-image" {...dropHandlers}>
      {preview ? (
        <Image className="sl-picture" source={preview} alt="" width={72} height={72} />
      ) : (
        <span className="sl-image-empty" aria-hidden="true" />
      )}
      <div className="sl-image-ways">
        <span className="sl-image-buttons">
          <input
            ref={fileInput}
            type="file"
            hidden
            accept="image/png,image/jpeg"
            onChange={({ target }) => {
              handleFile(target.files?.[0]);
              // Without this, choosing the same file again after a discard would be no change.
              target.value = '';
            }}
          />
          <button
            type="button"
            className="sl-button sl-button-small"
            disabled={disabled}
            onClick={() => fileInput.current?.click()}
          >
            {translate('form.choose_image')}
          </button>
          {preview && (
            <IconButton
              icon="trash"
              label={translate('form.remove_image')}
              disabled={disabled}
              onClick={() => onChange(null)}
            />
          )}
          {value instanceof File && <span className="sl-image-name">{value.name}</span>}
        </span>
        <input
          className="sl-input"
          type="url"
          {...attributes(props)}
          placeholder={translate('form.image_url')}
          aria-label={translate('form.image_url')}
          value={isUrl || (typeof value === 'string' && !preview) ? inputText(value) : ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        />
      </div>
    </div>
  );
};

/** Checks a chosen file before upload. Returns a text key in `validation`; the server checks the content again. */
export function imageProblem(value: unknown): 'image_type' | 'image_size' | undefined {
  if (!(value instanceof Blob)) return undefined;
  if (!['image/png', 'image/jpeg'].includes(value.type)) return 'image_type';
  return value.size >= limits.image ? 'image_size' : undefined;
}

/** Source of the preview: an object URL for a chosen file, else the stored name or the typed URL. */
function usePreview(value: unknown): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!(value instanceof Blob)) return setUrl(undefined);
    const objectUrl = URL.createObjectURL(value);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [value]);
  if (value instanceof Blob) return url;
  const text = inputText(value);
  // An incomplete URL is not requested while the user is still typing.
  return text === '' || (text.includes(':') && !URL.canParse(text)) ? undefined : text;
}

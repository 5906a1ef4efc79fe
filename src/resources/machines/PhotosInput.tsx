import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Icon } from '../../ui/Icon';
import { shrinkPhoto } from '../../ui/shrinkPhoto';

interface PhotosInputProps {
  photos: File[];
  /** Called with a function that returns the next photos, since photos may change while new ones are being redrawn. */
  onChange: (update: (photos: readonly File[]) => File[]) => void;
}

const maxPhotos = 10;

/** Large button that takes or selects photos, and previews with a button to remove each. */
export function PhotosInput({ photos, onChange }: PhotosInputProps) {
  const translate = useTranslate();
  const [hasFailed, setFailed] = useState(false);
  const add = async (files: readonly File[]) => {
    const results = await Promise.allSettled(files.map(shrinkPhoto));
    setFailed(results.some(({ status }) => status === 'rejected'));
    const addedPhotos = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    onChange((current) => [...current, ...addedPhotos].slice(0, maxPhotos));
  };
  return (
    <div className="sl-field">
      <label className="sl-button sl-photo-button">
        <input
          type="file"
          className="sl-hidden"
          accept="image/*"
          multiple
          onChange={({ target }) => {
            void add([...(target.files ?? [])]);
            // Otherwise the browser would not report that the same file is chosen again.
            target.value = '';
          }}
        />
        <Icon name="image" size={20} />
        {translate('alerting.report.photo')}
      </label>
      {photos.length > 0 && (
        <ul className="sl-photos" aria-label={translate('alerting.report.photos', { smart_count: photos.length })}>
          {photos.map((photo, index) => (
            <li key={photo.name}>
              <Preview photo={photo} />
              <button
                type="button"
                className="sl-icon-button"
                aria-label={`${translate('ra.action.delete')} ${index + 1}`}
                onClick={() => onChange((current) => current.filter((other) => other !== photo))}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {hasFailed && (
        <p className="sl-field-problem" role="alert">
          {translate('alerting.report.photo_failed')}
        </p>
      )}
    </div>
  );
}

function Preview({ photo }: { photo: File }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const objectUrl = URL.createObjectURL(photo);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [photo]);
  return <img src={url} alt="" />;
}

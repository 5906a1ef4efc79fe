import { useState } from 'react';
import { imageUrl } from './Image';

/**
 * A person's photo in a circle; shows initials if there is no photo or it fails to load. Decorative: the name is beside
 * it.
 */
export const Avatar = ({ image, name, size }: { image: string | null | undefined; name: string; size: number }) => {
  const [failedImage, setFailedImage] = useState<string>();
  const url = imageUrl(image);
  return (
    <span className="sl-avatar" style={{ width: size, height: size }} aria-hidden="true">
      {url && failedImage !== url ? (
        <img src={url} alt="" width={size} height={size} onError={() => setFailedImage(url)} />
      ) : (
        initials(name)
      )}
    </span>
  );
};

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => [...word][0]?.toLocaleUpperCase())
    .filter((_, index, words) => index === 0 || index === words.length - 1)
    .join('');

import { useState } from 'react';
import { useTranslate } from 'react-admin';

interface ImageProps {
  /** Name of a stored image, or a URL. */
  source: string | null | undefined;
  alt: string;
  width?: number;
  height?: number;
  className?: string;
}

/** An image, or a placeholder with "Image not found" if there is none or it fails to load. */
export const Image = ({ source, alt, width, height, className }: ImageProps) => {
  const translate = useTranslate();
  const [failedSource, setFailedSource] = useState<string>();
  const url = imageUrl(source);
  if (!url || failedSource === url)
    return (
      <img
        className={className}
        src={missingImage}
        alt={translate('frame.image_not_found')}
        width={width}
        height={height}
      />
    );
  return (
    <img
      className={className}
      src={url}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      onError={() => setFailedSource(url)}
    />
  );
};

/** The URL of an image: stored images come from the server, URLs stay unchanged. */
export function imageUrl(source: string | null | undefined): string | undefined {
  if (!source) return undefined;
  return /^(https?|blob|data):/i.test(source) ? source : `/storage/images/${encodeURIComponent(source)}`;
}

const missingImage = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#7b8893" ' +
    'opacity=".25"/><path d="M10 34l9-11 7 8 4-4 8 7zM31 20a3 3 0 1 0-.01 0" fill="none" stroke="#7b8893" ' +
    'stroke-width="2"/></svg>',
)}`;

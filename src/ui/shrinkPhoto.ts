/** Maximum pixels of the longer side; maximum bytes, below the server's limit (`limits.image`). */
const maxSide = 2000;
const maxBytes = 1_900_000;

/**
 * Redraws a photo as a JPEG of at most 2000 pixels per side. Only its pixels remain: location, camera and file name are
 * removed. @throws if the browser cannot read the photo or cannot make it small enough
 */
export async function shrinkPhoto(photo: Blob): Promise<File> {
  const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  for (const quality of [0.85, 0.7, 0.5, 0.3]) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob && blob.size <= maxBytes) return new File([blob], randomName(), { type: 'image/jpeg' });
  }
  throw new Error('The photo is too large.');
}

const randomName = (): string => `${crypto.getRandomValues(new Uint32Array(2)).join('-')}.jpg`;

import { call } from '../../providers/call';
import { ProblemFields } from '../../resources/machines/ProblemFields';

interface PublicProblemFormProps {
  machine: number;
  onSent: (outcome: 'sent' | 'photos_failed') => void;
}

/** Maximum number of photos; the server has the same limit. */
const maxPhotos = 5;

/** Reports a problem: its kind, photos and description, and an e-mail address to notify when it is solved. */
export const PublicProblemForm = ({ machine, onSent }: PublicProblemFormProps) => (
  <ProblemFields
    maxPhotos={maxPhotos}
    hasEmail
    send={async (report, { photos, email }) => {
      const body = { ...report, ...(email && { email }) };
      const { data } = await call('POST /public/machines/{id}/problems', { params: { id: machine }, body });
      onSent((await sendPhotos(data.token, photos)) ? 'sent' : 'photos_failed');
    }}
  />
);

/** Uploads photos to a report that the server has accepted. Resolves to whether it accepted all of them. */
async function sendPhotos(token: string, photos: readonly File[]): Promise<boolean> {
  try {
    for (const photo of photos) {
      const form = new FormData();
      form.append('file', photo);
      await call('POST /public/problems/{token}/photos', { params: { token }, form });
    }
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}

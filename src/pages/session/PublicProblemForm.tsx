import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { problemKinds } from '../../../schema/entities/alerts';
import { call } from '../../providers/call';
import { FreeTextInput, KindInput } from '../../resources/machines/MachineFormFields';
import { PhotosInput } from '../../resources/machines/PhotosInput';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';

interface Values {
  problem: (typeof problemKinds)[number] | null;
  report: string;
  is_out_of_use: boolean;
  email: string;
}

interface PublicProblemFormProps {
  machine: number;
  onSent: (outcome: 'sent' | 'photos_failed') => void;
}

/** Maximum number of photos, as on the server. */
const maxPhotos = 5;

/** Reports a problem: its kind, photos and description, and an e-mail address for news about its end. */
export const PublicProblemForm = ({ machine, onSent }: PublicProblemFormProps) => {
  const translate = useTranslate();
  const [photos, setPhotos] = useState<File[]>([]);
  const { register, fieldAt, submit, busy, watch } = useServerForm<Values>({
    defaults: { problem: null, report: '', is_out_of_use: false, email: '' },
    send: async ({ problem, report, is_out_of_use, email }) => {
      if (!problem) return;
      const words = report.trim() || translate('alerting.report.see_photo');
      const body = { problem, report: words, is_out_of_use, ...(email.trim() && { email: email.trim() }) };
      const { data } = await call('POST /public/machines/{id}/problems', { params: { id: machine }, body });
      onSent((await sendPhotos(data.token, photos)) ? 'sent' : 'photos_failed');
    },
  });
  const [problem, report] = watch(['problem', 'report']);
  return (
    <form className="sl-service-form" onSubmit={submit} noValidate>
      <KindInput
        legend={translate('alerting.report.what')}
        kinds={problemKinds}
        texts="resources.alerts.choices.problem"
        field={register('problem')}
      />
      <PhotosInput photos={photos} onChange={(chosen) => setPhotos(chosen.slice(0, maxPhotos))} />
      <FreeTextInput
        label={translate('alerting.report.text')}
        field={fieldAt('report')}
        maxLength={2000}
        isRequired={photos.length === 0}
      />
      <label className="sl-machine-check">
        <input type="checkbox" {...register('is_out_of_use')} />
        {translate('alerting.report.out')}
      </label>
      <FormField
        label={translate('public_page.email')}
        help={translate('public_page.email_help')}
        type="email"
        autoComplete="email"
        maxLength={254}
        {...fieldAt('email')}
      />
      <button
        type="submit"
        className="sl-button sl-button-primary"
        disabled={busy || !problem || (report.trim() === '' && photos.length === 0)}
      >
        {translate(busy ? 'alerting.report.sending' : 'alerting.report.send')}
      </button>
    </form>
  );
};

/** Uploads photos of a report that has arrived already. Resolves to whether all were accepted. */
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

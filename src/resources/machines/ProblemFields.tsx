import './service.css';
import './problem.css';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { problemKinds } from '../../../schema/entities/alerts';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';
import { FreeTextInput, KindInput, SubmitButtons } from './MachineFormFields';
import { PhotosInput } from './PhotosInput';

interface ProblemFormValues {
  problem: (typeof problemKinds)[number];
  report: string;
  is_out_of_use: boolean;
}

interface ProblemFieldsProps {
  /** Sends the report. `email` is empty unless `hasEmail` is set. */
  send: (report: ProblemFormValues, attachments: { photos: readonly File[]; email: string }) => Promise<unknown>;
  maxPhotos?: number;
  /** Whether to ask for an e-mail address to notify when the problem is solved. */
  hasEmail?: boolean;
  /** Absent if there is nothing to cancel. */
  onClose?: () => void;
}

/** The form of a problem report: kind, photos and description. The description is optional if there is a photo. */
export function ProblemFields({ send, maxPhotos, hasEmail = false, onClose }: ProblemFieldsProps) {
  const translate = useTranslate();
  const [photos, setPhotos] = useState<File[]>([]);
  const { register, fieldAt, submit, isBusy, watch } = useServerForm({
    defaults: {
      problem: null as ProblemFormValues['problem'] | null,
      report: '',
      is_out_of_use: false,
      email: '',
    },
    send: async ({ problem, report, is_out_of_use, email }) => {
      const description = report.trim() || translate('alerting.report.see_photo');
      if (problem) await send({ problem, report: description, is_out_of_use }, { photos, email: email.trim() });
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
        isRequired
      />
      <PhotosInput photos={photos} onChange={(update) => setPhotos((current) => update(current).slice(0, maxPhotos))} />
      <FreeTextInput
        label={translate('alerting.report.text')}
        field={fieldAt('report')}
        maxLength={2000}
        isRequired={photos.length === 0}
      />
      <label className="sl-check">
        <input type="checkbox" {...register('is_out_of_use')} />
        {translate('alerting.report.out')}
      </label>
      {hasEmail && (
        <FormField
          label={translate('public_page.email')}
          help={translate('public_page.email_help')}
          type="email"
          autoComplete="email"
          maxLength={254}
          {...fieldAt('email')}
        />
      )}
      <SubmitButtons
        send="alerting.report.send"
        sending="alerting.report.sending"
        isBusy={isBusy}
        isReady={problem !== null && (report.trim() !== '' || photos.length > 0)}
        onClose={onClose}
      />
    </form>
  );
}

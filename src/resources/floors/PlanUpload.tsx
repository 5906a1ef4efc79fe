import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { uploadErrorMessage } from '../../providers/errorMessage';
import { useConfirm } from '../../ui/ConfirmProvider';
import { useFileDrop } from '../../ui/useFileDrop';
import { useToast } from '../../ui/useToast';

const maxBytes = 20 * 1024 * 1024;
/** Maximum page number of a PDF. */
const maxPages = 500;

interface Props {
  floorId: number;
  hasPlan: boolean;
  onChanged: () => Promise<unknown>;
  /** Further buttons. */
  children?: ReactNode;
}

/** Uploads, replaces and removes the plan of a floor. */
export function PlanUpload({ floorId, hasPlan, onChanged, children }: Props) {
  const translate = useTranslate();
  const confirm = useConfirm();
  const notify = useToast();
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The last uploaded file, if it has several pages. */
  const [pdf, setPdf] = useState<{ file: File; page: number; pages: number }>();

  const act = async (work: () => Promise<unknown>, toast: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      await onChanged();
      notify('success', translate(toast));
    } catch (error) {
      setProblem(uploadErrorMessage(error, translate));
    } finally {
      setBusy(false);
    }
  };
  const upload = (file: File | undefined, page = 1) => {
    if (!file) return;
    if (file.size > maxBytes) return setProblem(translate('floors.too_large'));
    const form = new FormData();
    form.append('page', String(page));
    form.append('file', file);
    void act(async () => {
      const { data } = await call('POST /floors/{id}/plan', { params: { id: floorId }, form });
      const pages = data.pages ?? 1;
      setPdf(pages > 1 ? { file, page, pages } : undefined);
    }, 'floors.uploaded');
  };
  const drop = useFileDrop((file) => !isBusy && upload(file));
  const remove = async () => {
    const question = {
      title: translate('floors.remove_title'),
      description: translate('floors.remove_text'),
      button: translate('floors.remove'),
    };
    if (await confirm(question))
      await act(async () => {
        await call('DELETE /floors/{id}/plan', { params: { id: floorId } });
        setPdf(undefined);
      }, 'floors.removed');
  };

  return (
    <div className="sl-floor-drop" {...drop}>
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/svg+xml,application/pdf,application/json"
        onChange={({ target }) => {
          upload(target.files?.[0]);
          // Otherwise the browser would not report that the same file is chosen again.
          target.value = '';
        }}
      />
      <div className="sl-floor-tools">
        <button
          type="button"
          className="sl-button"
          disabled={isBusy}
          aria-describedby={`${id}-help`}
          onClick={() => chooser.current?.click()}
        >
          {translate(hasPlan ? 'floors.replace' : 'floors.upload')}
        </button>
        {hasPlan && (
          <button type="button" className="sl-button" disabled={isBusy} onClick={() => void remove()}>
            {translate('floors.remove')}
          </button>
        )}
        {children}
      </div>
      {pdf && (
        <div className="sl-floor-tools">
          <label htmlFor={`${id}-page`}>{translate('floors.page')}</label>
          <select
            id={`${id}-page`}
            value={pdf.page}
            disabled={isBusy}
            onChange={({ target }) => upload(pdf.file, Number(target.value))}
          >
            {Array.from({ length: Math.min(pdf.pages, maxPages) }, (_, index) => index + 1).map((page) => (
              <option key={page}>{page}</option>
            ))}
          </select>
        </div>
      )}
      <p id={`${id}-help`} className="sl-floor-help">
        {translate('floors.drop')}
      </p>
      {isBusy && <p role="status">{translate('floors.uploading')}</p>}
      {problem && (
        <p className="sl-field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

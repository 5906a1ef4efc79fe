import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useDelete, useGetList, useNotify, useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import type { documents } from '../../../schema/entities/documents';
import { documentExtensions, documentProblem } from '../../crud/shared/documentRules';
import { useDownload } from '../../crud/shared/useDownload';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatSize } from '../../i18n/format';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { uploadErrorMessage } from '../../providers/errorMessage';
import { download } from '../../providers/http';
import { useConfirm } from '../../ui/ConfirmProvider';
import { RelativeTime } from '../../ui/RelativeTime';
import type { MachineRow } from './machineRow';

/** The machine's documents: upload, download and delete. */
export function Documents({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const {
    data = [],
    isPending,
    isError,
  } = useGetList<Row<typeof documents>>('documents', {
    filter: { machine_id: machine.id },
    sort: { field: 'created_at', order: 'DESC' },
    pagination: { page: 1, perPage: 100 },
  });
  return (
    <section className="sl-section">
      <h2>{translate('machine.documentation')}</h2>
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {!isPending && !isError && data.length === 0 && (
        <p className="sl-machine-count">{translate('machine.no_documents')}</p>
      )}
      <ul className="sl-documents">
        {data.map((document) => (
          <DocumentItem key={document.id} document={document} />
        ))}
      </ul>
      {can('documents', 'create') && <Upload machine={machine} />}
    </section>
  );
}

function DocumentItem({ document }: { document: Row<typeof documents> }) {
  const translate = useTranslate();
  const language = useLanguage();
  const notify = useNotify();
  const run = useDownload();
  const confirm = useConfirm();
  const [remove, { isPending }] = useDelete();
  const fetchFile = () => run(() => download(`documents/${document.id}/file`, document.name));
  const confirmDelete = async () => {
    const isConfirmed = await confirm({
      title: translate('dialogs.delete_title', { name: document.name }),
      description: translate('dialogs.delete_text'),
      button: translate('dialogs.delete'),
    });
    if (isConfirmed)
      await remove(
        'documents',
        { id: document.id, previousData: document },
        {
          mutationMode: 'pessimistic',
          onSuccess: () => notify('toasts.deleted', { type: 'success', messageArgs: { name: document.name } }),
        },
      );
  };
  return (
    <li>
      <button type="button" className="sl-machine-link" onClick={() => void fetchFile()}>
        {document.name}
      </button>
      <span className="sl-documents__age">
        {document.size !== null && formatSize(document.size, language)} · <RelativeTime value={document.created_at} />
      </span>
      {can('documents', 'delete') && (
        <button
          type="button"
          className="sl-button sl-button-small"
          disabled={isPending}
          aria-label={`${translate('dialogs.delete')}: ${document.name}`}
          onClick={() => void confirmDelete()}
        >
          {translate('dialogs.delete')}
        </button>
      )}
    </li>
  );
}

function Upload({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const send = async (file: File) => {
    const fileProblem = documentProblem(file);
    setProblem(
      fileProblem &&
        translate(`validation.${fileProblem}`, { field: translate('resources.documents.name', { smart_count: 1 }) }),
    );
    if (fileProblem) return;
    const form = new FormData();
    form.append('file', file);
    setBusy(true);
    try {
      await call('POST /machines/{id}/documents', { params: { id: machine.id }, form });
      notify('toasts.document_added', { type: 'success' });
      await client.invalidateQueries({ queryKey: ['documents'] });
    } catch (error) {
      setProblem(uploadErrorMessage(error, translate));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="sl-field" data-wrong={problem !== undefined}>
      <input
        ref={input}
        id="document-file"
        type="file"
        hidden
        accept={documentExtensions.map((extension) => `.${extension}`).join(',')}
        aria-label={translate('machine.upload_document')}
        onChange={({ target }) => {
          if (target.files?.[0]) void send(target.files[0]);
          // Otherwise the browser would not report that the same file is chosen again.
          target.value = '';
        }}
      />
      <button
        type="button"
        className="sl-button"
        disabled={isBusy}
        aria-describedby="document-help document-problem"
        onClick={() => input.current?.click()}
      >
        {translate('machine.upload_document')}
      </button>
      <p className="sl-field-help" id="document-help">
        {isBusy ? translate('machine.uploading') : translate('machine.document_rules')}
      </p>
      <p className="sl-field-problem" id="document-problem" role="alert">
        {problem}
      </p>
    </div>
  );
}

import { useId, useRef, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { type FileFormat, localizedFormat } from '../../../schema/shared/files';
import { importEndings, importLimits } from '../../../schema/shared/imports';
import { formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { uploadErrorMessage } from '../../providers/errorMessage';
import { download } from '../../providers/http';
import { useServerConfig } from '../../providers/useServerConfig';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/PageHead';
import { ProblemText } from '../../ui/ProblemText';
import { useFileDrop } from '../../ui/useFileDrop';
import './imports.css';
import { useDownload } from '../shared/useDownload';
import { useLanguage } from '../shared/useLanguage';
import { sendFile } from './import';
import { hasMoreRows } from './rowCounter';
import { Steps } from './Steps';

/**
 * Number of rows allowed beyond the limit, for titles, notes and headings above the data. The server counts exactly.
 */
const extraRows = 50;

/** First step: choosing or dropping a file. Its content is shown before anything is written. */
export const StartImport = ({ entity }: { entity: Entity }) => {
  const translate = useTranslate();
  const plural = translate(`resources.${entity.name}.plural`);
  const title = translate('imports.title', { name: plural });
  return (
    <article className="sl-import">
      <PageHead
        title={title}
        crumbs={[{ headerName: `resources.${entity.name}.plural`, link: `/${entity.name}` }, { headerName: title }]}
        menu={
          can('imports', 'list') && (
            <Link className="sl-button" to="/imports">
              {translate('imports.earlier')}
            </Link>
          )
        }
      />
      <Steps current="file" />
      <DropZone entity={entity} />
      <Template entity={entity} />
    </article>
  );
};

const DropZone = ({ entity }: { entity: Entity }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notify = useNotify();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const maxRows = useServerConfig()?.import_rows ?? importLimits.rows;
  const rows = formatNumber(maxRows, { language: useLanguage() });

  const send = async (file: File | undefined) => {
    if (!file || isSending) return;
    setProblem(
      file.size > importLimits.bytes
        ? translate('imports.too_large', { mb: importLimits.bytes / 1024 / 1024 })
        : undefined,
    );
    if (file.size > importLimits.bytes) return;
    setSending(true);
    try {
      if (await hasMoreRows(file, maxRows + extraRows)) {
        setProblem(
          translate(maxRows < importLimits.rows ? 'imports.too_many_rows_embedded' : 'imports.too_many_rows', { rows }),
        );
        setSending(false);
        return;
      }
      navigate(`/imports/${await sendFile(entity.name, file)}`);
    } catch (error) {
      const message = uploadErrorMessage(error, translate);
      setProblem(message);
      notify(message, { type: 'error' });
      setSending(false);
    }
  };
  const drop = useFileDrop((file) => void send(file));
  return (
    <section className="sl-drop" aria-label={translate('imports.choose')} {...drop}>
      <Icon name="upload" size={40} />
      <h2>{translate(isSending ? 'imports.sending' : 'imports.drop')}</h2>
      <p id={`${id}-help`}>{translate('imports.kinds', { mb: importLimits.bytes / 1024 / 1024, rows })}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept={importEndings.map((ending) => `.${ending}`).join(',')}
        aria-label={translate('imports.choose')}
        onChange={({ target }) => {
          void send(target.files?.[0]);
          target.value = '';
        }}
      />
      <button
        type="button"
        className="sl-button sl-button-primary"
        disabled={isSending}
        aria-describedby={`${id}-help ${id}-problem`}
        onClick={() => input.current?.click()}
      >
        {translate('imports.choose')}
      </button>
      <ProblemText id={`${id}-problem`}>{problem}</ProblemText>
    </section>
  );
};

const Template = ({ entity }: { entity: Entity }) => {
  const translate = useTranslate();
  const run = useDownload();
  const language = useLanguage();
  const load = (format: FileFormat) => () =>
    void run(() =>
      download(
        `${entity.name}/import/template?${new URLSearchParams(localizedFormat(format, language))}`,
        `${entity.name}.${format}`,
      ),
    );
  return (
    <section className="sl-import-note">
      <h2>{translate('imports.template')}</h2>
      <p>{translate('imports.template_text')}</p>
      <div className="sl-buttons">
        {(['xlsx', 'csv'] as const).map((format) => (
          <button key={format} type="button" className="sl-button" onClick={load(format)}>
            <Icon name="download" size={16} />
            {format}
          </button>
        ))}
      </div>
    </section>
  );
};

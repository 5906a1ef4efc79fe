import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useServerConfig } from '../../providers/useServerConfig';

/** Address for the vendor and a command to test it, both to be copied. */
export function VendorAddress({ integration, children }: { integration: { id: number }; children?: ReactNode }) {
  const translate = useTranslate();
  const base = useServerConfig()?.public_url;
  if (base === undefined) return null;
  const address = `${base}/api/v1/ingest/hooks/${integration.id}`;
  const headers = "-H 'Authorization: Bearer SECRET' -H 'Content-Type: application/json'";
  const command = `curl -X POST '${address}' ${headers} -d @message.json`;
  return (
    <section className="sl-section" aria-labelledby="connection">
      <h2 id="connection">{translate('integrations.connection')}</h2>
      <p>{translate('integrations.connection_text')}</p>
      <CopyableText label={translate('integrations.address')} text={address} />
      <CopyableText label={translate('integrations.curl')} text={command} />
      {children}
    </section>
  );
}

function CopyableText({ label, text }: { label: string; text: string }) {
  const translate = useTranslate();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="sl-integration-copy">
      <span>{label}</span>
      <code>{text}</code>
      <button
        type="button"
        className="sl-button"
        aria-label={`${translate('list.copy')}: ${label}`}
        onClick={() => void copy()}
      >
        {translate(isCopied ? 'list.copied' : 'list.copy')}
      </button>
    </div>
  );
}

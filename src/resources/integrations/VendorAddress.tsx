import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { useServerConfig } from '../../providers/useServerConfig';
import { CopyButton } from '../../ui/CopyButton';

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

const CopyableText = ({ label, text }: { label: string; text: string }) => (
  <div className="sl-integration-copy">
    <span>{label}</span>
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </div>
);

import { QRCodeSVG } from 'qrcode.react';
import type { Identifier } from 'ra-core';
import type { ComponentProps } from 'react';
import { useServerConfig } from '../../providers/useServerConfig';

interface MachineCodeProps extends Omit<ComponentProps<typeof QRCodeSVG>, 'id' | 'value' | 'level'> {
  id: Identifier;
}

/**
 * QR code of a machine's page. Always encodes `PUBLIC_URL`, never the browser's URL, since a printed internal
 * URL would be useless. Empty until the configuration has loaded.
 */
export function MachineCode({ id, ...svg }: MachineCodeProps) {
  const base = useServerConfig()?.public_url;
  return base === undefined ? null : <QRCodeSVG {...svg} level="M" value={`${base}/machines/${id}`} />;
}

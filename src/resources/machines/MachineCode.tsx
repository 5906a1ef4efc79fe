import { QRCodeSVG } from 'qrcode.react';
import type { Identifier } from 'ra-core';
import type { ComponentProps } from 'react';
import { useServerConfig } from '../../providers/useServerConfig';

interface MachineCodeProps extends Omit<ComponentProps<typeof QRCodeSVG>, 'id' | 'value' | 'level'> {
  id: Identifier;
}

/**
 * QR code of a machine's page at `PUBLIC_URL`, never at the browser's address: a printed code of an internal address
 * would be useless. Empty until the configuration is loaded.
 */
export function MachineCode({ id, ...svg }: MachineCodeProps) {
  const base = useServerConfig()?.public_url;
  return base === undefined ? null : <QRCodeSVG {...svg} level="M" value={`${base}/machines/${id}`} />;
}

import { QRCodeSVG } from 'qrcode.react';
import { useTranslate } from 'react-admin';
import type { MachineRow } from './machine';

/** QR code that opens this page, to print and stick to the machine. */
export function QrCode({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const url = `${window.location.origin}/machines/${machine.id}`;
  return (
    <section className="sl-section sl-qr">
      <h2>{translate('machine.qr_code')}</h2>
      <QRCodeSVG
        className="sl-qr__code"
        value={url}
        size={160}
        marginSize={4}
        level="M"
        title={`${machine.serial_number}: ${url}`}
      />
      <p className="sl-qr__serial">{machine.serial_number}</p>
      <p className="sl-qr__help">{translate('machine.qr_text')}</p>
      <button type="button" className="sl-button" onClick={printCode}>
        {translate('machine.qr_print')}
      </button>
    </section>
  );
}

/** Prints the code alone: `machine.css` hides the rest of the page. */
function printCode(): void {
  const { dataset } = document.documentElement;
  dataset.print = 'qr';
  window.addEventListener(
    'afterprint',
    () => {
      delete dataset.print;
    },
    { once: true },
  );
  window.print();
}

import { useTranslate } from 'react-admin';
import { MachineCode } from './MachineCode';
import type { MachineRow } from './machineRow';

/** QR code that opens this page, for printing and sticking onto the machine. */
export function QrCode({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  return (
    <section className="sl-section sl-qr">
      <h2>{translate('machine.qr_code')}</h2>
      <MachineCode id={machine.id} className="sl-qr__code" size={160} marginSize={4} title={machine.serial_number} />
      <p className="sl-qr__serial">{machine.serial_number}</p>
      <p className="sl-qr__help">{translate('machine.qr_text')}</p>
      <button type="button" className="sl-button" onClick={printCode}>
        {translate('machine.qr_print')}
      </button>
    </section>
  );
}

/** Prints only the code: `machine.css` hides the rest of the page. */
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

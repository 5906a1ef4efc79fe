import type { RaRecord } from 'ra-core';
import type { CSSProperties } from 'react';
import { findEntity, titleOf } from '../../crud/shared/entities';
import { useLanguage } from '../../crud/shared/useLanguage';
import { MachineCode } from './MachineCode';

interface LabelProps {
  /** The machine, with its type and location included. */
  machine: RaRecord;
  box: CSSProperties;
  /** Size of the code in millimetres. */
  size: number;
}

/**
 * A label with a QR code that opens the machine's page, its serial number and description. Drawn as vector graphics, so
 * it prints sharp at any resolution.
 */
export const Label = ({ machine, box, size }: LabelProps) => {
  const language = useLanguage();
  const type = machine.type ? titleOf(findEntity('types'), machine.type, language) : machine.custom_type;
  const labelLines = [
    machine.inventory_number,
    type,
    machine.location && titleOf(findEntity('locations'), machine.location, language),
  ].filter(Boolean);
  return (
    <div className="sl-label" style={box}>
      <MachineCode
        id={machine.id}
        marginSize={1}
        style={{ width: `${size}mm`, height: `${size}mm` }}
        title={machine.serial_number}
      />
      <div>
        <strong>{machine.serial_number}</strong>
        {labelLines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
    </div>
  );
};

/** Props of inputs. */
import { createContext, type ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';

export interface InputProps {
  entity: Entity;
  source: string;
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  onBlur: () => void;
  /** Element id that the label references. */
  id: string;
  invalid: boolean;
  required: boolean;
  /** Element ids of help text and validation message. */
  describedBy: string | undefined;
  disabled: boolean;
  /** Ref of the element that react-hook-form focuses if the value is invalid. */
  inputRef: (element: HTMLElement | null) => void;
}

/** Inputs by field name that replace the default ones in the forms inside. */
export const InputOverrides = createContext<Readonly<Record<string, (props: InputProps) => ReactNode>>>({});

/** Attributes common to all native inputs. */
export const attributes = ({ id, invalid, required, describedBy, disabled, onBlur, inputRef }: InputProps) => ({
  id,
  disabled,
  onBlur,
  ref: inputRef,
  'aria-invalid': invalid,
  'aria-required': required,
  'aria-describedby': describedBy,
});

export const inputText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

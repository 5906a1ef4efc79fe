/** What an input is given. */
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
  /** Bound to the label. */
  id: string;
  invalid: boolean;
  required: boolean;
  /** Ids of help and error. */
  describedBy: string | undefined;
  disabled: boolean;
  /** For the input that is focused when its error is chosen. */
  inputRef: (element: HTMLElement | null) => void;
}

/** How an entity's own pages ask for single fields instead, by name: stands around the form. */
export const InputOverrides = createContext<Readonly<Record<string, (asked: InputProps) => ReactNode>>>({});

/** The attributes that every native input takes from what it is given. */
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

import { type ComponentProps, useId } from 'react';

interface FormSelectProps extends ComponentProps<'select'> {
  label: string;
}

/** A labelled select; its children are the options. */
export const FormSelect = ({ label, ...select }: FormSelectProps) => {
  const id = useId();
  return (
    <div className="sl-field">
      <label htmlFor={id}>{label}</label>
      <div className="sl-field-box">
        <select {...select} id={id} />
      </div>
    </div>
  );
};

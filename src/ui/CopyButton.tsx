import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { copyText } from './copyText';
import { useToast } from './useToast';

interface CopyButtonProps {
  text: string;
  /** What is copied, if the page has several such buttons. */
  label?: string;
}

/** Copies a text, and then says so in place of its own label, until the text changes. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const translate = useTranslate();
  const notify = useToast();
  const [copiedText, setCopiedText] = useState<string>();
  const isCopied = copiedText === text;
  const copy = async () => {
    const isDone = await copyText(text);
    setCopiedText(isDone ? text : undefined);
    if (!isDone) notify('error', 'list.copy_failed');
  };
  const caption = translate(isCopied ? 'list.copied' : 'list.copy');
  return (
    <>
      <button
        type="button"
        className="sl-button"
        aria-label={label && `${caption}: ${label}`}
        onClick={() => void copy()}
      >
        {caption}
      </button>
      <span className="sl-hidden" role="status">
        {isCopied && translate('list.copied')}
      </span>
    </>
  );
}

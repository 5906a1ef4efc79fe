import './wholeWords.css';

/** A text that does not wrap at the hyphens inside its words, such as serial numbers; cuts words longer than a line. */
export const WholeWords = ({ text }: { text: string }) =>
  text.split(/([^\s-]+-\S+)/).map((fragment, index) =>
    index % 2 === 0 ? (
      fragment
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words have no identity but their position
      <span key={index} className="sl-whole-word">
        {fragment}
      </span>
    ),
  );

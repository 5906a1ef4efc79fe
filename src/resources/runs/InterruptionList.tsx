import { useTranslate } from 'react-admin';

interface Props {
  interruptions: readonly { at: number; words: string }[];
  /** Shows the time of an interruption in the replay; undefined if there is no replay. */
  onMoment: ((moment: number) => void) | undefined;
}

/** Why a run was interrupted and how long each interruption lasted, numbered as on the plan. */
export function InterruptionList({ interruptions, onMoment }: Props) {
  const translate = useTranslate();
  if (interruptions.length === 0) return null;
  return (
    <div className="sl-run-interruptions">
      <h2>{translate('resources.runs.fields.interruptions')}</h2>
      <ol>
        {interruptions.map(({ at, words }) => (
          <li key={`${at} ${words}`}>
            {onMoment ? (
              <button type="button" className="sl-text-link" onClick={() => onMoment(at)}>
                {words}
              </button>
            ) : (
              words
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

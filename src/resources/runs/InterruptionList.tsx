import { useTranslate } from 'react-admin';

interface Props {
  interruptions: readonly { at: number; text: string }[];
  /** Shows the time of an interruption in the replay; undefined if there is no replay. */
  onSeek: ((moment: number) => void) | undefined;
}

/** Why a run was interrupted and how long each interruption lasted, numbered as on the plan. */
export function InterruptionList({ interruptions, onSeek }: Props) {
  const translate = useTranslate();
  if (interruptions.length === 0) return null;
  return (
    <div className="sl-run-interruptions">
      <h2>{translate('resources.runs.fields.interruptions')}</h2>
      <ol>
        {interruptions.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            {onSeek ? (
              <button type="button" className="sl-text-link" onClick={() => onSeek(at)}>
                {text}
              </button>
            ) : (
              text
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

import { useTranslate } from 'react-admin';

/** Text keys of the help of each editor: for pointers, and for the keyboard. */
const texts = {
  draw: ['floors.draw_help', 'floors.draw_keys'],
  split: ['floors.split_help', 'floors.split_keys'],
  edit: ['floors.edit_help', 'floors.edit_keys'],
  by_distance: ['floors.by_distance_help', 'floors.by_distance_keys'],
  by_map: ['floors.by_map_help'],
} as const;

/** The help of an editor. CSS shows the text about the keyboard only on devices with a precise pointer. */
export const FloorHelp = ({ editor }: { editor: keyof typeof texts }) => {
  const translate = useTranslate();
  const [help, keys] = texts[editor];
  return (
    <p className="sl-floor-help">
      {translate(help)}
      {keys && <span className="sl-floor-keys"> {translate(keys)}</span>}
    </p>
  );
};

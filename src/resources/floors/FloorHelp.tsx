import { useTranslate } from 'react-admin';

/** How to use each editor of the plan: by pointer, and by keyboard. */
const texts = {
  draw: ['floors.draw_help', 'floors.draw_keys'],
  split: ['floors.split_help', 'floors.split_keys'],
  edit: ['floors.edit_help', 'floors.edit_keys'],
  by_distance: ['floors.by_distance_help', 'floors.by_distance_keys'],
  by_map: ['floors.by_map_help'],
} as const;

/** The help of an editor; the part about the keyboard only where there is likely to be one. */
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

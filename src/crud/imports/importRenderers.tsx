/** Renderers of fields of an import: the target entity by its name. */
import { useTranslate } from 'react-admin';
import type { DisplayProps } from '../fields/renderers';

export const importRenderers = { resource: ({ value }: DisplayProps) => <ListName name={String(value)} /> };

const ListName = ({ name }: { name: string }) => <>{useTranslate()(`resources.${name}.plural`, { _: name })}</>;

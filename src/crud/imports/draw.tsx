/** Renderers of import fields: the target list by its name. */
import { useTranslate } from 'react-admin';
import type { Shown } from '../fields/shown';

export const importFields = { resource: ({ value }: Shown) => <ListName name={String(value)} /> };

const ListName = ({ name }: { name: string }) => <>{useTranslate()(`resources.${name}.plural`, { _: name })}</>;

import { locations } from '../../../schema/entities/locations';
import { InputOverrides, type InputProps } from '../../crud/fields/inputProps';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { HolidayRegionInput } from './HolidayRegionInput';

const inputs = { holiday_region: (props: InputProps) => <HolidayRegionInput {...props} /> };

export const CreateLocation = () => (
  <InputOverrides value={inputs}>
    <CreatePage entity={locations} />
  </InputOverrides>
);

export const EditLocation = () => (
  <InputOverrides value={inputs}>
    <EditPage entity={locations} />
  </InputOverrides>
);

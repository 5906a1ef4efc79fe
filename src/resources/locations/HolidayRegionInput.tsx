import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { type InputProps, inputText } from '../../crud/fields/inputProps';
import { SelectInput } from '../../crud/fields/SelectInput';
import { call } from '../../providers/call';

/** Select of the regions of the chosen country or, without one, of the country of the fleet's client. */
export const HolidayRegionInput = (props: InputProps) => {
  const { value } = props;
  const [holiday_country_id, fleet_id] = useWatch({ name: ['holiday_country_id', 'fleet_id'] }) as (number | null)[];
  const query = holiday_country_id ? { holiday_country_id } : { fleet_id };
  const { data } = useQuery({
    queryKey: ['locations', 'holiday_regions', query],
    queryFn: ({ signal }) => call('GET /locations/holiday_regions', { query, signal }),
    meta: { quiet: true },
  });
  const regions = data?.data ?? [];
  const isListed = !value || regions.some(({ code }) => code === value);
  return (
    <SelectInput {...props}>
      <option value="">–</option>
      {!isListed && <option>{inputText(value)}</option>}
      {regions.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectInput>
  );
};

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { isDay } from '../../../schema/dsl/isDay';
import type { EndpointResponse } from '../../../schema/endpoints';
import { DayBox } from '../../crud/fields/DayBox';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatMoney } from '../../i18n/format';
import { serverDay } from '../../i18n/serverClock';
import { call } from '../../providers/call';
import type { MachineRow } from './machineRow';

/** The machine's book value on a day that the user chooses, past or future. */
export function BookValue({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  const [day, setDay] = useState(() => serverDay());
  const isValid = isDay(day);
  const { data } = useQuery<EndpointResponse<'GET /machines/{id}/book_value'>['data']>({
    // The fields that determine the value are part of the row, so its version changes with them.
    queryKey: ['machines', 'book_value', machine.id, day, machine.version],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/book_value', { params: { id: machine.id }, query: { on: day }, signal }).then(
        (response) => response.data,
      ),
    enabled: isValid,
    placeholderData: keepPreviousData,
  });
  return (
    <section className="sl-section sl-book-value">
      <h2>{translate('machine.book_value')}</h2>
      <div className="sl-field">
        <label htmlFor={id}>{translate('service.value_on')}</label>
        <DayBox id={id} value={day} onChange={setDay} />
      </div>
      <output htmlFor={id}>{data?.book_value && isValid ? formatMoney(data.book_value, language) : '–'}</output>
      {data && data.book_value === null && <p className="sl-machine-count">{translate('service.no_price')}</p>}
    </section>
  );
}

import { useTranslate } from 'react-admin';
import { Navigate } from 'react-router-dom';
import { can } from '../../providers/auth';
import { PageHead } from '../../ui/PageHead';
import { Calendar } from './Calendar';
import { LocationsTabs } from './LocationsTabs';

/** The cleaning calendar of every location in scope. */
export function CalendarPage() {
  const translate = useTranslate();
  if (!can('locations', 'list') || !can('machines', 'list')) return <Navigate to="/" replace />;
  return (
    <>
      <PageHead title={translate('calendar.title')} />
      <LocationsTabs open="calendar" />
      <Calendar />
    </>
  );
}

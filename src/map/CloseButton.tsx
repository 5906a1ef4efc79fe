import { useTranslate } from 'react-admin';
import { useMap } from 'react-leaflet';

/** Closes the popover it stands in. */
export function CloseButton({ onClose }: { onClose: () => void }) {
  const translate = useTranslate();
  const map = useMap();
  return (
    <button
      type="button"
      className="sl-popup__close"
      aria-label={translate('ra.action.close')}
      onClick={() => {
        map.closePopup();
        onClose();
      }}
    >
      ×
    </button>
  );
}

import type { Popup as LeafletPopup } from 'leaflet';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { Popup, useMap } from 'react-leaflet';

interface Props {
  position: [latitude: number, longitude: number];
  /** Whether it takes the focus when it opens, and returns it when it closes; false if a mark on the map opened it. */
  takesFocus: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Popup above a mark, which it follows. Escape, its button and a click elsewhere on the map close it. */
export function Popover({ position, takesFocus, onClose, children }: Props) {
  const [latitude, longitude] = position;
  // A new `position` prop would close and reopen the popup.
  const initialPosition = useRef(position);
  const popup = useRef<LeafletPopup>(null);
  const onCloseRef = useRef(onClose);
  onCloseRef.current = onClose;
  const handlers = useMemo(() => ({ remove: () => onCloseRef.current() }), []);
  useEffect(() => {
    popup.current?.setLatLng([latitude, longitude]);
  }, [latitude, longitude]);
  return (
    <Popup
      ref={popup}
      position={initialPosition.current}
      closeButton={false}
      offset={[0, -8]}
      minWidth={230}
      autoPanPaddingTopLeft={belowControls}
      autoPanPaddingBottomRight={[16, 16]}
      eventHandlers={handlers}
    >
      <Content takesFocus={takesFocus} onClose={onClose}>
        {children}
      </Content>
    </Popup>
  );
}

/** Margin in pixels from left and top: keeps the popup clear of the buttons in the map's corner. */
const belowControls: [number, number] = [16, 92];

/** A separate component, because Leaflet attaches the content to the page after the popup itself. */
function Content({ takesFocus, onClose, children }: Omit<Props, 'position'>) {
  const translate = useTranslate();
  const map = useMap();
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    const returnTo = document.activeElement;
    const { current } = content;
    current?.querySelector('a')?.focus({ preventScroll: true });
    return () => {
      if (
        returnTo instanceof HTMLElement &&
        returnTo.isConnected &&
        (document.activeElement === document.body || current?.contains(document.activeElement))
      )
        returnTo.focus();
    };
  }, [takesFocus]);
  const close = () => {
    map.closePopup();
    onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes wherever the focus is inside
    <div ref={content} className="sl-popup" onKeyDown={({ key }) => key === 'Escape' && close()}>
      {children}
      <button type="button" className="sl-popup__close" aria-label={translate('ra.action.close')} onClick={close}>
        ×
      </button>
    </div>
  );
}

/** A QR code on a page: dark on white, whatever the colours of the page are. */
import type { QrCode } from "#server/billing/documents/qr.ts";

/** @param props.label what is in it */
export function QrImage({ code: { size, path }, label }: { code: QrCode; label: string }) {
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

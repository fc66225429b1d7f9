/** A QR code on a page: dark on white, regardless of the page's colours. */
import type { QrCode } from "#server/billing/documents/qr.ts";

/** @param props.label description of its content */
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

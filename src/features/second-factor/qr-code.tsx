// QrCode: a text as a QR code, drawn as one path.
import { encode } from 'uqr'

/** Light modules around the code, which readers need. */
const BORDER = 4

/** Dark on white in both colour schemes: some apps do not read inverted codes. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { data, size } = encode(content, { border: BORDER, ecc: 'M' })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <figure aria-label={label}>
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="mx-auto block w-full max-w-56 rounded-field bg-white text-black"
      >
        <path d={path} fill="currentColor" />
      </svg>
    </figure>
  )
}

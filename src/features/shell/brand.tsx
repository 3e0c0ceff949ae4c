// Brand: the mark, a letter closed with a vermilion seal, and the name beside it.
import { text } from '#src/lib/text.ts'

export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" fill="none">
      <g stroke="currentColor" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round">
        <rect x="3" y="7" width="26" height="19" rx="3" />
        <path d="m4 9 12 9 12-9" />
      </g>
      <circle cx="16" cy="18" r="5.5" className="fill-seal" />
    </svg>
  )
}

export function Brand() {
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <Mark />
      <span className="text-lg font-semibold">{text.brand}</span>
    </span>
  )
}

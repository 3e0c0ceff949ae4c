// SealMark: a letter closed with a vermilion seal.

export function SealMark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" fill="none" className="shrink-0">
      <g stroke="currentColor" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round">
        <rect x="3" y="7" width="26" height="19" rx="3" />
        <path d="m4 9 12 9 12-9" />
      </g>
      <circle cx="16" cy="18" r="5.5" className="fill-seal" />
    </svg>
  )
}

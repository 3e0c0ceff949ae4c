// Spinner: progress of unknown length.

export function Spinner({ label, size = 20 }: { label?: string | undefined; size?: number }) {
  return (
    <span role={label ? 'status' : undefined} className="inline-grid">
      <svg aria-hidden width={size} height={size} viewBox="0 0 20 20" className="animate-spin">
        <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
        <path
          d="M10 2a8 8 0 0 1 8 8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}

// EmptyState: a drawing, a sentence and an optional action.
import type { ReactNode } from 'react'

const drawings = {
  /** An open envelope with nothing in it yet. */
  letter: (
    <>
      <path d="M18 46 60 16l42 30v42H18z" />
      <path d="m18 46 42 26 42-26" />
      <path d="M18 88 48 64M102 88 72 64" />
    </>
  ),
  /** A post box whose road ends. */
  lost: (
    <>
      <path d="M40 84V44a14 14 0 0 1 28 0v40z" />
      <path d="M68 84h16V44a14 14 0 0 0-14-14H54" />
      <path d="M46 50h16M60 84v14M20 98h28M72 98h28" />
    </>
  ),
  /** A cloud the line does not reach. */
  offline: (
    <>
      <path d="M38 78a18 18 0 0 1 2-36 24 24 0 0 1 46 6 15 15 0 0 1-2 30z" />
      <path d="M60 92v8M48 92v4M72 92v4" />
    </>
  ),
  /** An empty frame. */
  frame: (
    <>
      <rect x="24" y="22" width="72" height="64" rx="6" />
      <path d="m24 74 22-22 16 16 10-10 24 24" />
      <circle cx="76" cy="40" r="6" />
    </>
  ),
} as const

export type Drawing = keyof typeof drawings

interface EmptyStateProps {
  drawing: Drawing
  title: string
  text?: string
  /** English words that a standard or the specification fixes, in small letters under the text. */
  note?: string
  action?: ReactNode
  /** The page's own heading, when nothing else on it is one. */
  heading?: 'h1' | 'h2'
}

export function EmptyState({ drawing, title, text, note, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-80 flex-col items-center px-4 py-16 text-center">
      <svg
        aria-hidden
        width="120"
        height="108"
        viewBox="0 0 120 108"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="text-soft"
      >
        {drawings[drawing]}
      </svg>
      <Heading className="mt-5 text-lg font-semibold">{title}</Heading>
      {text && <p className="mt-1 text-soft">{text}</p>}
      {note && (
        <p lang="en" className="mt-1 text-sm text-soft">
          {note}
        </p>
      )}
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}

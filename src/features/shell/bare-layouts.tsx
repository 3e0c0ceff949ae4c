// The simple layout with one card, and the empty layout.
import type { ReactNode } from 'react'

interface BareProps {
  notices: ReactNode
  children: ReactNode
  /** Under the card. */
  foot: ReactNode
}

export function SimpleLayout({ notices, children, foot }: BareProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      {notices}
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
      {foot}
    </div>
  )
}

export function EmptyLayout({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="grid min-h-dvh place-items-center outline-none">
      {children}
    </main>
  )
}

// Bare layouts: simple, one card in the middle, and empty, nothing but the page.
import type { ReactNode } from 'react'

export function SimpleLayout({ notices, children }: { notices: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      {notices}
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
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

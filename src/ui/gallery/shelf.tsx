// Shelf: the states of one component under its name.
import type { ReactNode } from 'react'

export function Shelf({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="border-t border-line py-5 first:border-t-0 first:pt-0">
      <h2 className="mb-3 text-sm font-semibold text-soft">{name}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  )
}

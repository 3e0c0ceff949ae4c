// SimpleCard: one centred card with the mark above it.
import type { ReactNode } from 'react'
import { Brand } from '#src/ui/brand.tsx'
import { text } from '#src/domain/text/text.ts'

interface SimpleCardProps {
  title: string
  children: ReactNode
  foot: ReactNode
  /** Wide enough for a list or a receipt. */
  wide?: boolean
}

export function SimpleCard({ title, children, foot, wide = false }: SimpleCardProps) {
  return (
    <div
      className={`mx-auto flex w-full flex-1 flex-col px-4 py-6 rail:py-12 ${wide ? 'max-w-180' : 'max-w-110'}`}
    >
      <Brand name={text.brand} />
      <div className="mt-6 rail:rounded-media rail:border rail:border-line rail:bg-raised rail:p-8">
        <h1 className="mb-6 text-xl font-semibold">{title}</h1>
        {children}
      </div>
      <div className="mt-6 text-center">{foot}</div>
    </div>
  )
}

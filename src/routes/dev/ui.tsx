// /dev/ui: every component of the design system, not in production builds.
import { createFileRoute, notFound } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

// The condition is known when the app is built, so a production build does not hold the gallery.
const Gallery = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('#src/ui/gallery/gallery.tsx')).Gallery }))
  : () => null

const Forms = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('./-forms.tsx')).Forms }))
  : () => null

export const Route = createFileRoute('/dev/ui')({
  staticData: { access: 'open', layout: 'empty', title: '部品' },
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound()
  },
  component: Page,
})

function Page() {
  return (
    <Suspense>
      <Gallery />
      <Forms />
    </Suspense>
  )
}

// /dev/media: files of every kind of presentation in each view, not in production builds.
import { createFileRoute, notFound } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

// The condition is known when the app is built, so a production build does not hold the page.
const MediaGallery = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('./-media/gallery.tsx')).MediaGallery }))
  : () => null

export const Route = createFileRoute('/dev/media')({
  staticData: { access: 'member', layout: 'empty', title: '画像と動画の見本' },
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound()
  },
  component: () => (
    <Suspense>
      <MediaGallery />
    </Suspense>
  ),
})

// /about: what this service is.
import { createFileRoute } from '@tanstack/react-router'
import { About } from '#src/features/help/about.tsx'

export const Route = createFileRoute('/about/')({
  staticData: { access: 'open', layout: 'head-title', title: 'とどけについて' },
  component: About,
})

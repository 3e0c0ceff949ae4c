// Frame: renders a page in the layout of its route.
import { lazy, Suspense } from 'react'
import { EmptyLayout, SimpleLayout } from './bare-layouts.tsx'
import type { FrameProps } from './layouts.tsx'

/** Loads the members' layouts during the session check, since visitors do not need them. */
export const loadLayouts = () => import('./layouts.tsx')
const LawLinks = lazy(async () => ({ default: (await import('./law-links.tsx')).LawLinks }))
const DefaultLayout = lazy(async () => ({ default: (await loadLayouts()).DefaultLayout }))
const HeadTitleLayout = lazy(async () => ({ default: (await loadLayouts()).HeadTitleLayout }))

interface Props extends FrameProps {
  layout: 'default' | 'head-title' | 'simple' | 'empty'
  title: string
}

export function Frame({ layout, title, ...rest }: Props) {
  switch (layout) {
    case 'default':
      return (
        <Suspense>
          <DefaultLayout {...rest} />
        </Suspense>
      )
    case 'head-title':
      return (
        <Suspense>
          <HeadTitleLayout {...rest} title={title} />
        </Suspense>
      )
    case 'simple':
      return (
        <SimpleLayout
          notices={rest.notices}
          foot={
            <Suspense>
              <LawLinks />
            </Suspense>
          }
        >
          {rest.children}
        </SimpleLayout>
      )
    case 'empty':
      return <EmptyLayout>{rest.children}</EmptyLayout>
    default:
      return layout satisfies never
  }
}

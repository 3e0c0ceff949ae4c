// Frame: puts a page into the layout it stated.
import type { ReactNode } from 'react'
import type { SessionUser } from '#contract/session.ts'
import { DefaultLayout, EmptyLayout, HeadTitleLayout, SimpleLayout } from './layouts.tsx'

interface FrameProps {
  layout: 'default' | 'head-title' | 'simple' | 'empty'
  title: string
  me: SessionUser | undefined
  onSignOut: () => void
  notices: ReactNode
  tray: ReactNode
  children: ReactNode
}

export function Frame({ layout, title, ...rest }: FrameProps) {
  switch (layout) {
    case 'default':
      return <DefaultLayout {...rest} />
    case 'head-title':
      return <HeadTitleLayout {...rest} title={title} />
    case 'simple':
      return <SimpleLayout notices={rest.notices}>{rest.children}</SimpleLayout>
    case 'empty':
      return <EmptyLayout>{rest.children}</EmptyLayout>
    default:
      return layout satisfies never
  }
}

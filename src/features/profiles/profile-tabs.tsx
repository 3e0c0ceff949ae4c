// ProfileTabs: which of somebody's posts are shown; they stay in sight while the posts scroll.
import type { ReactNode } from 'react'
import type { PostType } from '#contract/posts.ts'
import { peopleText as words } from '#src/lib/text-people.ts'
import { Tabs } from '#src/ui/tabs.tsx'

export const postTabs = ['all', 'open', 'plan', 'paid'] as const
export type PostTab = (typeof postTabs)[number]

/** The type of the posts on a tab; undefined for all. */
export const typeOf: Record<PostTab, PostType | undefined> = { all: undefined, open: 1, plan: 2, paid: 3 }

interface ProfileTabsProps {
  tab: PostTab
  onChange: (tab: PostTab) => void
  children: (tab: PostTab) => ReactNode
}

export function ProfileTabs({ tab, onChange, children }: ProfileTabsProps) {
  return (
    <Tabs
      label={words.tabs}
      value={tab}
      onChange={onChange}
      tabs={postTabs.map((it) => ({ value: it, label: words.types[it], panel: children(it) }))}
    />
  )
}

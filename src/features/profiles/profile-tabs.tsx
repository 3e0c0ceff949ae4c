// ProfileTabs: filters a person's posts by type; visible while the posts scroll.
import type { ReactNode } from 'react'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { postTabs, type PostTab } from './post-tabs.ts'

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

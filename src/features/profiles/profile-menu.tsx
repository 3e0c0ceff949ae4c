// ProfileMenu: shares, mutes, blocks or reports a person.
import { useQueryClient } from '@tanstack/react-query'
import { Ban, Ellipsis, Flag, Link2, Share, Volume2, VolumeX } from 'lucide-react'
import type { ProfileView } from '#contract/people/people.ts'
import { requestBlock, requestReport } from '#src/domain/people/moderation-dialog.ts'
import { setMuted } from '#src/domain/people/relations.ts'
import { text } from '#src/domain/text/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { copyText } from '#src/ui/text/copy-text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { showFailure } from './profiles.ts'

const icon = { 'aria-hidden': true, size: 20 } as const

export function ProfileMenu({ person }: { person: ProfileView }) {
  const client = useQueryClient()
  const { relation } = person
  async function mute(on: boolean) {
    await setMuted(client, person.id, on)
    toast(on ? words.muted(person.name) : words.unmuted(person.name), 'success')
  }
  const others: MenuItem[] = relation
    ? [
        { is: 'separator' },
        {
          is: 'action',
          label: relation.muted ? words.unmute(person.name) : words.mute(person.name),
          icon: relation.muted ? <Volume2 {...icon} /> : <VolumeX {...icon} />,
          onSelect: () => void mute(!relation.muted).catch(showFailure),
        },
        {
          is: 'action',
          label: words.block(person.name),
          icon: <Ban {...icon} />,
          danger: true,
          onSelect: () => requestBlock(person),
        },
        {
          is: 'action',
          label: words.report,
          icon: <Flag {...icon} />,
          danger: true,
          onSelect: () => requestReport('person', person.id, person),
        },
      ]
    : []
  return (
    <Menu
      trigger={<IconButton label={words.more} icon={<Ellipsis size={22} />} className="border border-edge" />}
      items={[...shareItems(person.name), ...others]}
    />
  )
}

/** Menu items to share the profile where the device can, and to copy its link. */
function shareItems(name: string): MenuItem[] {
  const url = window.location.href
  const copy: MenuItem = {
    is: 'action',
    label: words.copyLink,
    icon: <Link2 {...icon} />,
    onSelect: () => void copyText(url, words),
  }
  if (!('share' in navigator)) return [copy]
  const share: MenuItem = {
    is: 'action',
    label: words.share,
    icon: <Share {...icon} />,
    // Closing the device's share sheet is not a failure.
    onSelect: () => void navigator.share({ title: `${name} | ${text.brand}`, url }).catch(() => undefined),
  }
  return [share, copy]
}

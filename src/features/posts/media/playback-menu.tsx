// PlaybackMenu: the speed and, with several renditions, the quality of a video.
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { postText as words } from '#src/features/posts/text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import type { Playing } from './segments.ts'

const RATES = [0.5, 1, 1.25, 1.5, 2]

interface PlaybackMenuProps {
  /** Sets the playback rate. */
  onRate: (rate: number) => void
  /** Undefined while the MP4 plays, which has one quality. */
  playing: Playing | undefined
}

export function PlaybackMenu({ onRate, playing }: PlaybackMenuProps) {
  const [rate, setRate] = useState(1)
  const [height, setHeight] = useState<number>()
  const speeds = RATES.map((at): MenuItem => ({
    is: 'choice',
    label: at === 1 ? words.usualSpeed : words.speed(at),
    checked: at === rate,
    onSelect() {
      onRate(at)
      setRate(at)
    },
  }))
  const heights = playing?.heights() ?? []
  const qualities = [undefined, ...heights].map((it): MenuItem => ({
    is: 'choice',
    label: it === undefined ? words.bestQuality : words.quality(it),
    checked: it === height,
    onSelect() {
      playing?.choose(it)
      setHeight(it)
    },
  }))
  return (
    <Menu
      trigger={
        <IconButton
          look="over"
          label={words.playback}
          icon={<Settings2 size={18} />}
          className="absolute top-2 right-2"
        />
      }
      items={heights.length > 1 ? [...speeds, { is: 'separator' }, ...qualities] : speeds}
    />
  )
}

// QueueBar: back to the list, how many checks are open, the previous and the next.
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Keyboard } from 'lucide-react'
import { useState } from 'react'
import type { CheckList } from '#contract/identity/check-lists.ts'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { administrationText as words } from '#src/features/administration/text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { useOpenCountText } from './queue.ts'
import { useCheckKeys } from './use-check-keys.ts'

interface QueueBarProps {
  list: CheckList
  previous: string | undefined
  next: string | undefined
  onOpen: (id: string) => void
}

export function QueueBar({ list, previous, next, onOpen }: QueueBarProps) {
  const [help, setHelp] = useState(false)
  const count = useOpenCountText()
  useCheckKeys()
  const step = (id: string | undefined, key: 'j' | 'k', label: string) => (
    <Button
      look="quiet"
      size="small"
      data-key={key}
      disabled={id === undefined}
      onClick={() => id !== undefined && onOpen(id)}
    >
      {label}
    </Button>
  )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 pt-2">
      <Link
        to="/administration"
        search={{ list }}
        data-key="back"
        className="inline-flex min-h-11 items-center gap-1 font-semibold"
      >
        <ChevronLeft aria-hidden size={20} />
        {words.toList}
      </Link>
      <output className="mr-auto">
        {count !== undefined && (
          <Badge look={count === '0' ? 'plain' : 'care'}>{words.openCount(count)}</Badge>
        )}
      </output>
      {/* One group, so that the buttons stay beside each other on a narrow screen. */}
      <div className="flex gap-2">
        {step(previous, 'k', words.previous)}
        {step(next, 'j', words.next)}
        <Button
          look="quiet"
          size="small"
          data-key="help"
          aria-label={words.keys}
          onClick={() => setHelp(true)}
        >
          <Keyboard aria-hidden size={18} />
        </Button>
      </div>
      <KeysSheet open={help} keys={words.keyList} onClose={() => setHelp(false)} />
    </div>
  )
}

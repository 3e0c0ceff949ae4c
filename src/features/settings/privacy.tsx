// Privacy: the settings of shown content and messages.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { messageFrom, type MessageFrom } from '#contract/accounts/settings.ts'
import { privacyText } from './text.ts'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { Switch } from '#src/ui/fields/switch.tsx'
import { privacyQuery, useChangePrivacy } from './settings.ts'

const words = privacyText

export function Privacy() {
  const { data } = useSuspenseQuery(privacyQuery)
  const change = useChangePrivacy()
  const card = (value: MessageFrom) => ({ value, ...words.from[value] })
  return (
    <>
      <Part title={words.seeing}>
        <Switch
          label={words.ageLimited}
          hint={words.ageLimitedHint}
          checked={data.shows_age_limited}
          onChange={(on) => void change('shows_age_limited', on)}
        />
      </Part>
      <Part title={words.sharing}>
        <Switch
          label={words.shareCard}
          hint={words.shareCardHint}
          checked={data.shows_share_card}
          onChange={(on) => void change('shows_share_card', on)}
        />
      </Part>
      <Part title={words.messages}>
        <RadioCards
          label={words.messages}
          value={data.message_from}
          onChange={(from) => void change('message_from', from)}
          cards={messageFrom.options.map(card)}
        />
        <Switch
          label={words.readMarks}
          hint={words.readMarksHint}
          checked={data.sends_read_marks}
          onChange={(on) => void change('sends_read_marks', on)}
        />
        <Switch
          label={words.presence}
          hint={words.presenceHint}
          checked={data.shows_presence}
          onChange={(on) => void change('shows_presence', on)}
        />
        <Switch
          label={words.messageText}
          hint={words.messageTextHint}
          checked={data.shows_message_text}
          onChange={(on) => void change('shows_message_text', on)}
        />
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8 px-4 first:mt-5">
      <h2 id={id} className="pb-2 text-sm font-semibold text-soft">
        {title}
      </h2>
      {children}
    </section>
  )
}

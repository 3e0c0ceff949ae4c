// RegistrationForm: whether new accounts are made.
import { useState } from 'react'
import { type RegistrationMode, registrationModes } from '#contract/administration/runtime-names.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Part } from '#src/features/administration/part.tsx'
import type { SettingActs } from './settings.ts'
import { settingsText } from './text.ts'

const words = settingsText.registration

export function RegistrationForm({ mode, acts }: { mode: RegistrationMode; acts: SettingActs }) {
  const [chosen, setChosen] = useState(mode)
  return (
    <Part title={words.title}>
      <div className="flex max-w-120 flex-col gap-3">
        <Field label={words.label} hint={words.hints[chosen]}>
          <Select
            value={chosen}
            options={registrationModes.map((value) => ({ value, label: words.modes[value] }))}
            onChange={({ target }) =>
              setChosen(registrationModes.find((it) => it === target.value) ?? chosen)
            }
          />
        </Field>
        <Button
          className="self-start"
          disabled={chosen === mode}
          busy={acts.busy === 'registration'}
          busyLabel={text.working}
          onClick={() => void acts.change('registration', { registration: chosen })}
        >
          {settingsText.save}
        </Button>
      </div>
    </Part>
  )
}

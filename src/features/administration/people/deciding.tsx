// Deciding: measures and content of a person, the sheet of a decision, and their keys.
import { useRef, useState } from 'react'
import type { PersonPage } from '#contract/administration/people.ts'
import type { Role } from '#contract/administration/role-names.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { DecideSheet } from '#src/features/administration/reports/decide-sheet.tsx'
import { ContentPart } from './content-part.tsx'
import { MeasuresPart } from './measures-part.tsx'
import { measuresText as words } from './measures-text.ts'
import { useOpenedCase } from './use-opened-case.ts'

interface DecidingProps {
  person: PersonPage
  role: Role
  failed: Failed
  onUnconfirmed: () => void
}

export function Deciding({ person, role, failed, onUnconfirmed }: DecidingProps) {
  const list = useRef<HTMLUListElement>(null)
  const act = useRef<HTMLButtonElement>(null)
  const [help, setHelp] = useState(false)
  const opened = useOpenedCase()
  useListKeys({ list, onHelp: () => setHelp(true), onEdit: () => act.current?.click() })
  return (
    <>
      <MeasuresPart
        person={person}
        role={role}
        opened={opened}
        act={act}
        failed={failed}
        onUnconfirmed={onUnconfirmed}
      />
      <ContentPart userId={person.id} opened={opened} failed={failed} list={list} />
      {opened.found && (
        <DecideSheet
          key={opened.found.id}
          found={opened.found}
          title={words.sheet(person.name)}
          onClose={() => opened.end(false)}
          onDone={() => opened.end(true)}
          onUnconfirmed={onUnconfirmed}
        />
      )}
      <KeysSheet open={help} onClose={() => setHelp(false)} keys={words.keys} />
    </>
  )
}

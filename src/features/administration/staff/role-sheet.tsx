// RoleSheet: gives a person a role, or changes the role of one.
import { useState } from 'react'
import { type Role, roleNames, staffRoles } from '#contract/administration/role-names.ts'
import type { StaffMember } from '#contract/administration/staff.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useRoleChange } from './staff.ts'
import { staffText as words } from './text.ts'

interface RoleSheetProps {
  /** The person whose role changes; null to name another one. */
  of: StaffMember | null
  onClose: () => void
  onUnconfirmed: () => void
}

/** What is typed stays while the admin confirms who they are. */
export function RoleSheet({ of, onClose, onUnconfirmed }: RoleSheetProps) {
  const [person, setPerson] = useState('')
  const [role, setRole] = useState<Role>(of?.role ?? 'moderator')
  const [problem, setProblem] = useState<string>()
  const { busy, change } = useRoleChange(onUnconfirmed)

  async function save() {
    if (!of && person.trim() === '') return setProblem(words.personRequired)
    const result = await change(of?.id ?? person, role)
    if (result === 'unknown') setProblem(words.unknown)
    if (result === 'saved') onClose()
  }

  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={of ? words.changeOf(of.name) : words.add}
      closeLabel={text.close}
      footer={
        <Button wide look="ink" busy={busy} busyLabel={text.working} onClick={() => void save()}>
          {words.save}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        {!of && (
          <Field label={words.person} hint={words.personHint} error={problem}>
            <TextInput
              value={person}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              onChange={(event) => {
                setPerson(event.target.value)
                setProblem(undefined)
              }}
            />
          </Field>
        )}
        <Field
          label={words.role}
          hint={role === 'member' ? undefined : words.about[role]}
          error={of ? problem : undefined}
        >
          <Select
            value={role}
            options={(of ? roleNames : staffRoles).map((it) => ({ value: it, label: words.roles[it] }))}
            onChange={(event) => setRole(roleNames.find((it) => it === event.target.value) ?? role)}
          />
        </Field>
      </div>
    </Sheet>
  )
}

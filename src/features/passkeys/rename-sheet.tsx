// RenameSheet: renames a passkey.
import { useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { listPasskeys, passkeyName, renamePasskey, type PasskeyView } from '#contract/accounts/passkeys.ts'
import { call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { queriesOf } from '#src/domain/queries/query.ts'
import { passkeysText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

interface RenameSheetProps {
  /** The passkey to rename; closed when undefined. */
  passkey: PasskeyView | undefined
  onClose: () => void
}

export function RenameSheet({ passkey, onClose }: RenameSheetProps) {
  return (
    <Sheet
      open={passkey !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={words.renameTitle}
      closeLabel={text.close}
    >
      {passkey && <NameForm key={passkey.id} passkey={passkey} onDone={onClose} />}
    </Sheet>
  )
}

const body = v.object({ name: passkeyName })

function NameForm({ passkey, onDone }: { passkey: PasskeyView; onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = useSchemaForm({
    schema: body,
    defaults: { name: passkey.name },
    note: `passkey.${passkey.id}`,
    async submit(named) {
      await call(renamePasskey, { params: { passkey_id: passkey.id }, body: named })
      await queryClient.invalidateQueries(queriesOf(listPasskeys))
      toast(words.renamed, 'success')
      onDone()
    },
  })
  return (
    <Form {...form.shell} action={words.save} busyLabel={text.working}>
      <FormField of={form} name="name">
        {({ error, input }) => <TextField {...input} label={words.name} error={error} autoComplete="off" />}
      </FormField>
    </Form>
  )
}

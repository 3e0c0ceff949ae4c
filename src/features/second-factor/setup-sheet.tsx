// SetupSheet: the key for an authenticator app, and the code that confirms it.
import * as v from 'valibot'
import { confirmSecondFactor } from '#contract/accounts/second-factor.ts'
import { secondFactorCode } from '#contract/accounts/second-factor-code.ts'
import { call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'
import type { SetupKey } from './manage.ts'
import { QrCode } from './qr-code.tsx'
import { secondFactorText } from './text.ts'

const words = secondFactorText.setup
const schema = v.object({ code: secondFactorCode })

interface SetupSheetProps {
  setupKey: SetupKey
  onClose: () => void
  onCodes: (codes: readonly string[]) => void
}

export function SetupSheet({ setupKey, onClose, onCodes }: SetupSheetProps) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={words.title} closeLabel={text.close}>
      <div className="flex flex-col gap-4 pb-2">
        <p>{words.scan}</p>
        <QrCode content={setupKey.uri} label={words.qr} />
        <p className="text-sm text-soft">{words.manual}</p>
        <div className="flex flex-wrap items-center gap-3">
          <code className="min-w-0 flex-1 break-all">
            {setupKey.secret.replaceAll(/(.{4})/g, '$1 ').trim()}
          </code>
          <Button look="quiet" size="small" onClick={() => void copyText(setupKey.secret, words)}>
            {words.copy}
          </Button>
        </div>
        <CodeField onCodes={onCodes} />
      </div>
    </Sheet>
  )
}

function CodeField({ onCodes }: Pick<SetupSheetProps, 'onCodes'>) {
  const form = useSchemaForm({
    schema,
    defaults: { code: '' },
    async submit(body) {
      onCodes((await call(confirmSecondFactor, { body })).codes)
    },
  })
  return (
    <Form {...form.shell} action={words.act} busyLabel={text.working}>
      <FormField of={form} name="code">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.code}
            error={error}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
      </FormField>
    </Form>
  )
}

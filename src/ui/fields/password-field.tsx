// PasswordField: a password that can be shown while it is typed.
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Field, TextInput, type FieldProps } from './field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'

interface PasswordFieldProps extends Omit<FieldProps, 'children' | 'count'> {
  input: Omit<ComponentProps<typeof TextInput>, 'type'>
  showLabel: string
  hideLabel: string
}

export function PasswordField({ input, showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field {...field}>
      <div className="relative">
        <TextInput
          {...input}
          type={shown ? 'text' : 'password'}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          className="pr-13"
        />
        <IconButton
          label={shown ? hideLabel : showLabel}
          icon={shown ? <EyeOff size={20} /> : <Eye size={20} />}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0.5 my-auto text-soft"
        />
      </div>
    </Field>
  )
}

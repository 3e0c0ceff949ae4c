// Cancel: leaves a form of the account without changing anything.
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { accountText } from '#src/features/accounts/text.ts'
import { Button } from '#src/ui/button.tsx'

export function Cancel() {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const leave = () => (canGoBack ? router.history.back() : void router.navigate({ to: '/' }))
  return (
    <Button look="quiet" wide onClick={leave}>
      {accountText.validate.stop}
    </Button>
  )
}

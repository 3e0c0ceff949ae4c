// /payment/return?payment_id: where the provider sends the buyer back, also without a session.
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { PaymentResult, Unknown } from '#src/features/payments/payment-result.tsx'
import { resultText } from '#src/features/payments/result-text.ts'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/payment/return')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'お支払いの結果', secret: 'todoke.payment-return' },
  validateSearch: v.object({ payment_id: searchId }),
  // The provider adds it to the address, from which the root route takes it.
  loader: ({ location }) => linkSecret('todoke.payment-return', location).read()?.['session_id'],
  component: Returned,
})

function Returned() {
  const { payment_id: paymentId } = Route.useSearch()
  const sessionId = Route.useLoaderData()
  const navigate = useNavigate()
  return (
    <SimpleCard title={resultText.title} foot={null}>
      {paymentId === undefined || sessionId === undefined ? (
        <Unknown />
      ) : (
        <PaymentResult
          paymentId={paymentId}
          sessionId={sessionId}
          onPaid={(postId, kind) => {
            toast(resultText.kinds[kind].toast, 'success')
            void navigate({ to: '/post/$id', params: { id: postId }, replace: true })
          }}
        />
      )}
    </SimpleCard>
  )
}

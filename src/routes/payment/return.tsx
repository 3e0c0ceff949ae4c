// /payment/return?payment_id&session_id: where the provider sends the buyer back, also without a session.
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { PaymentResult, Unknown } from '#src/features/payments/payment-result.tsx'
import { resultText } from '#src/features/payments/result-text.ts'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/payment/return')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'お支払いの結果' },
  validateSearch: v.object({
    payment_id: searchId,
    session_id: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(64))), undefined)),
  }),
  component: Returned,
})

function Returned() {
  const { payment_id: paymentId, session_id: sessionId } = Route.useSearch()
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

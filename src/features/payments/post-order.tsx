// PostOrder: the final confirmation before a post is bought.
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getOperator } from '#contract/operator.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { yen } from '#src/lib/format.ts'
import { useOnline } from '#src/lib/online.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Banner } from '#src/ui/states/banner.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { ProviderForm } from './provider-form.tsx'
import { paymentText } from './text.ts'
import { useOrder } from './use-order.ts'

const words = paymentText.order
export const operatorQuery = queryFor(getOperator, {})

interface PostOrderProps {
  post: PostView
  onBought: () => void
}

export function PostOrder({ post, onBought }: PostOrderProps) {
  const { access } = post
  if (access.is === 'full') return <Closed postId={post.id} {...paymentText.closed.bought} />
  if (access.wants !== 'purchase' || access.price === null)
    return <Closed postId={post.id} {...paymentText.closed.notForSale} />
  return <Confirmation post={post} access={access} price={access.price} onBought={onBought} />
}

function Closed({ postId, ...texts }: { postId: string; title: string; text: string }) {
  return (
    <EmptyState
      drawing="letter"
      {...texts}
      action={
        <Link to="/post/$id" params={{ id: postId }} replace className={buttonClass('quiet')}>
          {paymentText.closed.toPost}
        </Link>
      }
    />
  )
}

interface ConfirmationProps extends PostOrderProps {
  access: Extract<PostView['access'], { is: 'preview' }>
  /** Yen, tax included. */
  price: number
}

function Confirmation({ post, access, price, onBought }: ConfirmationProps) {
  const online = useOnline()
  const operator = useQuery(operatorQuery).data
  const { busy, problem, form, confirm } = useOrder({ postId: post.id, price, onBought })
  return (
    <div className="px-4 pt-5 pb-16 rail:px-6">
      {operator?.payments?.is_sandbox && <Banner look="care">{words.sandbox}</Banner>}
      <p className="mt-3">{words.lead}</p>
      <dl className="mt-4 border-t border-line">
        <Row name={words.rows.item}>
          {[words.item, ...contentsOf(access)].join('・')}
          <Teaser post={post} />
        </Row>
        <Row name={words.rows.seller}>{post.author.name}</Row>
        <Row name={words.rows.price}>
          <span className="text-xl font-semibold">
            <Money amount={price} text={yen(price)} note={words.taxIncluded} />
          </span>
          <span className="block text-sm text-soft">{words.noFees}</span>
        </Row>
        <Row name={words.rows.payment}>{words.payment}</Row>
        {operator?.payments && (
          <Row name={words.rows.statement}>{words.statement(operator.payments.statement_name)}</Row>
        )}
        <Row name={words.rows.delivery}>{words.delivery}</Row>
        <Row name={words.rows.period}>{words.period}</Row>
        <Row name={words.rows.cancelling}>{words.cancelling}</Row>
      </dl>
      <LawLinks />
      <div className="mt-4 flex flex-col gap-3">
        <FormError sentence={online ? problem : words.offline} />
        <Button
          look="seal"
          wide
          busy={busy}
          busyLabel={words.opening}
          disabled={!online}
          onClick={() => void confirm()}
        >
          {words.confirm}
        </Button>
        <Link
          to="/post/$id"
          params={{ id: post.id }}
          replace
          className={buttonClass('quiet', 'normal', true)}
        >
          {text.cancel}
        </Link>
      </div>
      {form && <ProviderForm {...form} />}
    </div>
  )
}

const lawLink = 'inline-flex min-h-11 items-center underline underline-offset-4'

function LawLinks() {
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 text-sm">
      <Link to="/settings/commercial-transactions-act" className={lawLink}>
        {words.law}
      </Link>
      <Link to="/settings/terms-of-service" className={lawLink}>
        {words.terms}
      </Link>
    </p>
  )
}

function contentsOf(access: ConfirmationProps['access']): string[] {
  return [
    ...(access.image_count > 0 ? [words.images(access.image_count)] : []),
    ...(access.has_video ? [words.video] : []),
  ]
}

/** The blurred picture of the post, so that a person sees which one they buy. */
function Teaser({ post: { access } }: { post: PostView }) {
  if (access.is !== 'preview' || access.blurred_url === null) return null
  return (
    <img
      src={access.blurred_url}
      alt=""
      className="mt-2 aspect-video w-40 rounded-field bg-sunk object-cover"
    />
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 border-b border-line py-3 rail:grid-cols-[11rem_1fr]">
      <dt className="text-sm font-semibold text-soft rail:pt-0.5">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
